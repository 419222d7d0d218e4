"""The command `numen`: thin over the verb table, fast to start, never a traceback."""

from numen.surfaces.cli.main import main

__all__ = ["main"]
