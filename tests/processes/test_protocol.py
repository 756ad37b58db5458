import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.processes.protocol import (
    HEADER,
    Frame,
    FrameReader,
    Kind,
    ProtocolError,
    header,
)

FRAMES = st.builds(Frame, st.sampled_from(Kind), st.integers(0, 2**32 - 1), st.binary(max_size=40))


def written(frame: Frame) -> bytes:
    return header(frame.kind, frame.number, len(frame.payload)) + frame.payload


@given(st.lists(FRAMES, max_size=6), st.lists(st.integers(1, 20), min_size=1, max_size=9))
def test_frames_come_out_whole_however_the_bytes_are_cut(
    frames: list[Frame], sizes: list[int]
) -> None:
    data, reader = b"".join(written(each) for each in frames), FrameReader()
    found: list[Frame] = []
    while data:
        size = sizes[len(data) % len(sizes)]
        found += reader.feed(data[:size])
        data = data[size:]
    assert found == frames
    assert not reader.within_a_frame


def test_a_frame_that_has_begun_is_known_to_be_on_its_way() -> None:
    reader = FrameReader()
    assert list(reader.feed(header(Kind.ANSWER, 7, 3) + b"ab")) == []
    assert reader.within_a_frame
    assert list(reader.feed(b"c")) == [Frame(Kind.ANSWER, 7, b"abc")]


@given(st.binary(max_size=60))
def test_noise_is_refused_or_waited_for_and_nothing_else(noise: bytes) -> None:
    reader = FrameReader(max_bytes=1000)
    try:
        frames = list(reader.feed(noise))
    except ProtocolError:
        return
    assert b"".join(written(each) for each in frames) == noise[: sum(map(length, frames))]


def length(frame: Frame) -> int:
    return HEADER.size + len(frame.payload)


def test_a_frame_longer_than_the_limit_is_refused_before_its_bytes_come() -> None:
    with pytest.raises(ProtocolError, match="too long"):
        list(FrameReader(max_bytes=10).feed(header(Kind.ANSWER, 1, 11)))
