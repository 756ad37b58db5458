"""Tells the frontier where records of the archive are after `forget` has written files anew."""

from collections import defaultdict

from gossamer.archive.forget import Rewritten
from gossamer.archive.writer import Archive
from gossamer.frontier.frontier import SqlFrontier


def take_up_moves(archive: Archive, frontier: SqlFrontier) -> None:
    """Tell the frontier where records are that a `forget` has moved before it was killed."""
    for rewritten in archive.unfinished():
        take_up_moved(rewritten, frontier)


def take_up_moved(rewritten: Rewritten, frontier: SqlFrontier) -> None:
    """Tell the frontier where the records of a file are now, and bodies that it shared with other files."""
    moves: defaultdict[str, dict[str, str]] = defaultdict(dict)
    moves[rewritten.file] = {str(old): str(new) for old, new in rewritten.moved.items()}
    for old, new in rewritten.adopted.items():
        moves[old.file][str(old)] = str(new)
    for file, moved in moves.items():
        frontier.move(file, moved)
