import pytest

from gossamer.transform.media_types import match, matches


@pytest.mark.parametrize(
    ("media_type", "found"),
    [
        ("image/png", "image/png"),
        ("IMAGE/GIF", "Image/*"),
        ("application/pdf", None),
        ("image", None),
        ("", None),
        (None, None),
    ],
)
def test_the_exact_type_goes_before_its_kind(media_type: str | None, found: str | None) -> None:
    wanted = ["Image/*", "image/png", "text/csv"]
    assert match(media_type, wanted) == found
    assert matches(media_type, wanted) is (found is not None)
