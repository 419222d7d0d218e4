"""What runs later, or waits: jobs over rows of the store, carried out by a durable engine."""

from numen.work.types import Body, Job, Run, Superseded

__all__ = ["Body", "Job", "Run", "Superseded"]
