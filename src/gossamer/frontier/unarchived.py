"""Pages that said something, and those of them that nothing but the graph keeps."""

from collections.abc import Sequence

from gossamer.frontier.store import Transaction


def says_something(txn: Transaction) -> bool:
    """Whether any page brought statements."""
    return bool(txn.rows("SELECT 1 FROM pages WHERE quads > 0 LIMIT 1"))


def lose_unarchived(txn: Transaction) -> int:
    """What pages said of which there is no copy is gone; how many these are.

    They have no quads from now on, and are asked for as for the first time: a server that says
    that a page is as it was would not bring back what it said.
    """
    lost = "archived IS NULL AND quads > 0"
    ((count,),) = txn.rows(f"SELECT count(*) FROM pages WHERE {lost}")
    txn.rows(f"UPDATE pages SET quads = 0, etag = NULL, last_modified = NULL WHERE {lost}")
    return int(count)


def lose(txn: Transaction, pages: Sequence[int]) -> None:
    """The same of pages by number, whose copies cannot be read."""
    txn.update(
        "pages",
        ("id",),
        sorted((page,) for page in pages),
        "quads = 0, etag = NULL, last_modified = NULL",
        "pages.id = :id",
    )
