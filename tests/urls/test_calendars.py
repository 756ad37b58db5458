import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.urls.calendars import Month, dates_in


def dates(path_and_query: str) -> list[Month]:
    path, _, query = path_and_query.partition("?")
    return list(dates_in(path, query))


@pytest.mark.parametrize(
    ("path", "date"),
    [
        ("/2031/07/", (2031, 7)),
        ("/blog/2031/12/14/title", (2031, 12)),
        ("/2031-07", (2031, 7)),
        ("/events/2031-07-14.html", (2031, 7)),
        ("/2031-W28/", (2031, 1)),
        ("/2999/01/", (2999, 1)),
        ("/calendar/3021/2", (3021, 2)),
        ("/Kalender/monat/2099/11/3", (2099, 11)),
        ("/calendar/0300-12", (300, 12)),
        ("/day/2099-1-31", (2099, 1)),
    ],
)
def test_a_date_in_a_path_is_seen(path: str, date: tuple[int, int]) -> None:
    assert dates(path) == [date]


@pytest.mark.parametrize(
    ("query", "date"),
    [
        ("/?month=2099-01", (2099, 1)),
        ("/?year=3021&month=2", (3021, 2)),
        ("/?x=y&mo=12&yr=2099", (2099, 12)),
        ("/?cal%5Byear%5D=2099&cal%5Bmonth%5D=3", (2099, 3)),
        ("/?cal_year=2099&cal_month=03", (2099, 3)),
        ("/?tribe-bar-date=2099-01-31", (2099, 1)),
        ("/?at=2099-01-31T10%3A00", (2099, 1)),
        ("/?date=2099%2F1%2F5", (2099, 1)),
        ("/?date=31.12.2099", (2099, 1)),
        ("/?month=12/2099", (2099, 1)),
        ("/?date=20990131", (2099, 1)),
        ("/?month=209912", (2099, 12)),
    ],
)
def test_a_date_in_a_query_is_seen(query: str, date: tuple[int, int]) -> None:
    assert dates(query) == [date]


@pytest.mark.parametrize(
    "real",
    [
        "/2099/",
        "/article/2099",
        "/calendar/2099",
        "/forum/3021/4",
        "/thread/2450/11",
        "/topic/1234/12",
        "/net-zero-2050-10-steps",
        "/product/2099-12345",
        "/2099/13/",
        "/20990131",
        "/2099/01x/",
        "/x2099/01/",
        "/?id=20990131",
        "/?to_year=2100",
        "/?year=2099&month=13",
        "/?month=12",
        "/?until=9999-12-31",
        "/?phone=2099-123",
        "/?q=year+2099-01",
        "/?page=2099",
        "/?price=2099.99",
        "/?",
        "/?&&==&=2099&%zz=2099",
    ],
)
def test_what_may_be_something_else_is_no_date(real: str) -> None:
    assert dates(real) == []


@given(st.text(alphabet="/-.?&=%0129aWTdatemonthyear[]", max_size=60))
def test_any_path_and_query_can_be_read(text: str) -> None:
    for date in dates("/" + text):
        assert 0 <= date.year <= 9999
        assert 1 <= date.month <= 12
