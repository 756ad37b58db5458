import pytest

from gossamer.proxy.cache.pins import Pins


def test_what_is_read_cannot_be_condemned_until_all_have_read_it() -> None:
    pins = Pins()
    assert pins.pin(1)
    assert pins.pin(1)
    pins.unpin(1)
    assert not pins.condemn(1)
    pins.unpin(1)
    assert pins.condemn(1)


def test_what_is_condemned_is_read_by_nobody() -> None:
    pins = Pins()
    assert pins.condemn(1)
    assert not pins.pin(1)
    pins.forget_condemned()
    assert pins.pin(1)


def test_nothing_is_given_back_twice() -> None:
    pins = Pins()
    with pytest.raises(KeyError):
        pins.unpin(1)
