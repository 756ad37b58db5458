import gzip
from pathlib import Path

import pytest

from gossamer.cli.output_file import packing, unpacked_name
from gossamer.fetch.zstd import zstd

TEXT = b"<a:a> <a:b> <a:c> .\n" * 1000


def packed(folder: Path, name: str) -> bytes:
    with packing(folder / "draft", folder / name) as file:
        file.write(TEXT)
    return (folder / "draft").read_bytes()


def test_the_name_says_how_it_is_compressed(tmp_path: Path) -> None:
    assert packed(tmp_path, "all.nt") == TEXT
    assert gzip.decompress(packed(tmp_path, "all.nt.gz")) == TEXT
    assert zstd.decompress(packed(tmp_path, "all.nt.zst")) == TEXT


@pytest.mark.parametrize("name", ["all.nt", "all.nt.gz", "all.nt.zst"])
def test_the_syntax_is_told_by_what_is_left_of_the_name(name: str) -> None:
    assert unpacked_name(Path("folder") / name) == "all.nt"
