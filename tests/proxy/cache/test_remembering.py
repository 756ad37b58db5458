from gossamer.proxy.cache.remembering import SHORT, remembering

calls: list[bytes] = []


@remembering(2)
def doubled(value: bytes) -> bytes:
    calls.append(value)
    return value * 2


def test_short_values_are_remembered_and_long_ones_are_not() -> None:
    short, long = b"x" * SHORT, b"x" * (SHORT + 1)
    calls.clear()
    assert [doubled(value) for value in (short, short, long, long)] == [
        short * 2,
        short * 2,
        long * 2,
        long * 2,
    ]
    assert calls == [short, long, long]
