"""WARC files as another program writes them."""

import io

from warcio.warcwriter import WARCWriter


class Writer(WARCWriter):  # type: ignore[misc]  # warcio brings no types
    """As warcio has it, but with a buffer that needs no closing: its own is left open."""

    _create_temp_file = staticmethod(io.BytesIO)
