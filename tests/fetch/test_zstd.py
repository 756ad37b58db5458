import subprocess
import sys

from gossamer.fetch.zstd import zstd


def test_what_was_packed_can_be_unpacked() -> None:
    assert zstd.decompress(zstd.compress(b"well" * 100)) == b"well" * 100


def test_a_python_without_it_does_without_it() -> None:
    code = """
import sys
sys.modules["backports.zstd"] = sys.modules["compression.zstd"] = None
from gossamer.fetch.zstd import zstd
print(zstd)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "None\n"
