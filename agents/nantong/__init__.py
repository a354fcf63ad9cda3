"""Compiled policies of Nantong Long Cards."""
