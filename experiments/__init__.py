"""Simulations, measurements, and the command line `longcards`."""
