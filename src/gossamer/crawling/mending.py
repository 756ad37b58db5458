"""What a run that was killed left undone in the archive."""

from gossamer.events import ArchiveDamaged, ArchiveMended
from gossamer.fetch.archive.writer import Archive
from gossamer.frontier.frontier import SqlFrontier
from gossamer.log import Sink


def take_up_moves(archive: Archive, frontier: SqlFrontier) -> None:
    """Tell the frontier where records are that a `forget` has moved before it was killed."""
    for rewritten in archive.unfinished():
        moved = {str(old): str(new) for old, new in rewritten.moved.items()}
        frontier.move(rewritten.file, moved)


def tell_of_mending(archive: Archive, tell: Sink) -> None:
    """Say what was found in files that nobody had closed."""
    for each in archive.mended:
        if each.left_alone is not None:
            tell(ArchiveDamaged(file=each.file, why=each.left_alone))
        else:
            tell(ArchiveMended(file=each.file, records=each.records, cut_bytes=each.cut_bytes))
