"""Agents: compiled policies and the registry that names them."""
