from datetime import UTC, date, datetime

import pytest

from gossamer.tables.kinds import ColumnKind, fitted, kind_of
from gossamer.tables.values import Iri, Value

NOON = datetime(2024, 5, 17, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([], ColumnKind.EMPTY),
        ([None], ColumnKind.EMPTY),
        ([1, None, 2], ColumnKind.WHOLE),
        ([1, 2.5], ColumnKind.NUMBER),
        ([2**63], ColumnKind.TEXT),
        ([True, False], ColumnKind.TRUTH),
        ([True, 1], ColumnKind.TEXT),
        ([Iri("http://a.test/"), "text"], ColumnKind.TEXT),
        ([date(2024, 5, 17)], ColumnKind.DAY),
        ([NOON], ColumnKind.MOMENT),
        ([NOON.replace(tzinfo=None)], ColumnKind.LOCAL_MOMENT),
        ([date(2024, 5, 17), NOON], ColumnKind.TEXT),
    ],
)
def test_a_column_has_the_kind_that_its_values_share(
    values: list[Value | None], kind: ColumnKind
) -> None:
    assert kind_of(values) is kind


def test_nothing_is_lost_where_values_share_nothing() -> None:
    values: list[Value] = [7, True, NOON, date(2024, 5, 17), 2.5, "x"]
    assert [fitted(value, ColumnKind.TEXT) for value in values] == [
        "7",
        "true",
        "2024-05-17T12:00:00+00:00",
        "2024-05-17",
        "2.5",
        "x",
    ]
