"""Where it is kept: one database for all durable state, SQLite by default, PostgreSQL by URL."""

from numen.store.db import ReadConnection, WriteConnection
from numen.store.prepared import Prepared
from numen.store.service import Store
from numen.store.types import SCHEMA, Notice, StoreTooNew, Watch, WrongFile

__all__ = [
    "SCHEMA",
    "Notice",
    "Prepared",
    "ReadConnection",
    "Store",
    "StoreTooNew",
    "Watch",
    "WriteConnection",
    "WrongFile",
]
