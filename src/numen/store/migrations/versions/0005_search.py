"""Search: what makes the rows of memory findable; can be rebuilt from them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create `search_items`, the index over its terms, counts of what there is, and meanings."""
    op.create_table(
        "search_items",
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("contact", sa.Text, nullable=False),
        sa.Column("audience", sa.Text, nullable=False),
        sa.Column("room", sa.Text, nullable=False),
        sa.Column("place", sa.BigInteger, nullable=False),
        sa.Column("voice", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("tier", sa.Text, nullable=False),
        sa.Column("brain", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("words", sa.Integer, nullable=False),
        sa.Column("marks", sa.Integer, nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
    )
    op.create_index("search_items_by_place", "search_items", ["place"])
    op.create_table(
        "search_counts",
        sa.Column("contact", sa.Text, primary_key=True),
        sa.Column("audience", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("room", sa.Text, primary_key=True),
        sa.Column("tier", sa.Text, primary_key=True),
        sa.Column("brain", sa.Text, primary_key=True),
        sa.Column("language", sa.Text, primary_key=True),
        sa.Column("voice", sa.Text, primary_key=True),
        sa.Column("amount", sa.Integer, nullable=False),
        sa.Column("length", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "search_revision",
        sa.Column("only", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.BigInteger, nullable=False),
    )
    op.execute("INSERT INTO search_revision VALUES (1, 0)")
    op.create_table(
        "search_wholes",
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("vector", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "search_parts",
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("vectors", sa.LargeBinary, nullable=False),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE INDEX search_items_by_term ON search_items USING gin (string_to_array(terms, ' '))"
        )
        return
    # Segments of a term index touch few pages a row, where a table of postings would touch one a term.
    op.execute(
        "CREATE VIRTUAL TABLE search_words USING fts5(terms, content='', columnsize=0, tokenize='ascii')"
    )
    op.execute("CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab('search_words', 'instance')")
