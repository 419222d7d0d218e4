"""Runs the migrations on the connection that the store hands over, inside its transaction."""

from __future__ import annotations

from alembic import context

from numen.store.revision import VERSION_TABLE

context.configure(connection=context.config.attributes["connection"], version_table=VERSION_TABLE)
with context.begin_transaction():
    context.run_migrations()
