"""What we must fix, or the user can: each error's text is a sentence that says what to do.

A broken page is no error: it travels as a value (see `model.py`).
"""


class GossamerError(Exception):
    """Base of all errors that end a command with a sentence instead of a traceback."""


class ConfigError(GossamerError):
    """A configuration value is unknown or wrong; names the source, the key and what would be right."""


class DataFolderError(GossamerError):
    """The data folder cannot be used: locked by another process, unwritable, or of a newer version."""


class FolderInUseError(DataFolderError):
    """Another process owns the data folder; names it."""


class StorageFullError(GossamerError):
    """A disk is full: what was under way was undone, what was done is safe; make room and go on."""


class StorageAwayError(GossamerError):
    """A database server cannot be reached, and our patience with it is over."""


class GraphError(GossamerError):
    """The graph cannot be used; says what to do."""


class GraphAwayError(GraphError, StorageAwayError):
    """The server that has the graph does not answer now; nothing is lost by asking again."""


class ArchiveError(GossamerError):
    """The archive cannot be read or written; names the file and says why."""


class ArchiveFullError(ArchiveError, StorageFullError):
    """No room for the archive: nothing of the batch was written; make room and go on."""


class InputError(GossamerError):
    """A file that a command was given cannot be read; names it and says why."""


class OutputError(GossamerError):
    """A file or sink that pages are written to cannot be used; names it and says why."""


class SinkLostError(OutputError):
    """A sink of another package failed; the crawl goes on without it."""
