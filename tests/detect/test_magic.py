import io
import tarfile
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.detect.claims import claim_of
from gossamer.detect.kinds import in_words
from gossamer.detect.magic import binary_type, looks_binary

NOTHING = claim_of("", None)
OFFICE = "application/vnd.openxmlformats-officedocument"


def zipped(*names: tuple[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in names:
            archive.writestr(name, text)
    return made.getvalue()


def tarred() -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.txt"))
    return made.getvalue()


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (b"%PDF-1.4\n", "application/pdf"),
        (b"{\\rtf1\\ansi", "application/rtf"),
        (b"GIF89a\1\0", "image/gif"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\0\0\0\0WAVEfmt ", "audio/wav"),
        (b"\0\0\0 ftypavif", "image/avif"),
        (b"\0\0\0 ftypisom", "video/mp4"),
        (b"ID3\4\0\0", "audio/mpeg"),
        (b"\xff\xfb\x90\x64", "audio/mpeg"),
        (b"BM6\0\0\0", "image/bmp"),
        (b"\x7fELF\2", "application/x-executable"),
        (tarred(), "application/x-tar"),
        (zipped(("a.txt", "a")), "application/zip"),
        (zipped(("[Content_Types].xml", ""), ("word/document.xml", "")), f"{OFFICE}.wordprocessingml.document"),
        (zipped(("[Content_Types].xml", ""), ("xl/workbook.xml", "")), f"{OFFICE}.spreadsheetml.sheet"),
        (zipped(("mimetype", "application/epub+zip")), "application/epub+zip"),
        (zipped(("mimetype", "application/vnd.oasis.opendocument.text")), "application/vnd.oasis.opendocument.text"),
        (zipped(), "application/zip"),
    ],
)  # fmt: skip
def test_a_file_is_known_by_its_first_bytes(body: bytes, media_type: str) -> None:
    assert binary_type(body, NOTHING) == media_type
    assert in_words(media_type)


@pytest.mark.parametrize(
    "text",
    [
        *(b"BM is a company", b"MZ", b"ID3 tags explained", b"OTTO e mezzo", b"RIFF raff ...."),
        *(b"<html>", b"\xff\xfe<\0", b"\xef\xbb\xbf{}", b"\xff", b"", b"{}", b"%PDX"),
    ],
)
def test_text_is_not_taken_for_a_file(text: bytes) -> None:
    assert binary_type(text, NOTHING) is None


def test_whoever_names_a_type_for_a_container_is_believed() -> None:
    body = zipped(("a.class", ""))
    assert binary_type(body, claim_of("", "application/java-archive")) == "application/java-archive"
    assert binary_type(body, claim_of("", "text/html")) == "application/zip"
    assert binary_type(b"%PDF-1.4", claim_of("", "image/png")) == "application/pdf"


def test_control_characters_make_it_binary() -> None:
    assert looks_binary(b"abc\0")
    assert looks_binary(b"\x01\x02")
    assert not looks_binary("Größe\t1\r\n\x1b$B".encode())


@given(st.binary(max_size=300))
def test_any_bytes_have_a_type_that_we_can_name_or_none(body: bytes) -> None:
    found = binary_type(body, NOTHING)
    assert found is None or in_words(found)
