import sys

import pytest

from gossamer.tables.needs import MissingPackageError, needed


@pytest.mark.parametrize(
    ("package", "line"),
    [("pyarrow", "pip install 'gossamer[data]'"), ("polars", "pip install 'polars'")],
)
def test_a_package_that_is_missing_is_named_with_what_brings_it(
    package: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    with pytest.raises(MissingPackageError, match="This needs") as missing:
        needed(package)
    assert line in str(missing.value)
    assert isinstance(missing.value, ImportError)
