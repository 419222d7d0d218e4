"""Numen: a resident mind for agents."""

__version__ = "0.1.0"
