"""Compiled policies of Paohuzi."""
