from dataclasses import FrozenInstanceError, fields, is_dataclass

import pytest

from gossamer.config import Config
from gossamer.settings.sources import keys


def test_configuration_cannot_change_under_a_part_that_holds_it() -> None:
    config = Config()
    with pytest.raises(FrozenInstanceError):
        config.politeness.agent = "other"  # type: ignore[misc]  # that is the point
    with pytest.raises(TypeError):
        config.politeness.delays["x"] = config.politeness.delay  # type: ignore[index]  # likewise


def test_every_section_is_a_dataclass_of_documented_fields() -> None:
    for section in fields(Config):
        assert is_dataclass(getattr(Config(), section.name))
    assert all(key.doc.endswith((".", "…")) for key in keys().values())


def test_the_keys_that_others_rely_on_have_their_defaults() -> None:
    defaults = {name: key.default for name, key in keys().items()}
    assert defaults["politeness.delay"].total_seconds() == 1  # type: ignore[attr-defined]  # a time
    assert defaults["politeness.per_host"] == 1
    assert defaults["proxy.max_wait"].total_seconds() == 50  # type: ignore[attr-defined]  # a time
