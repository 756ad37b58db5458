from typing import Any

import pytest

from gossamer.transform.jsonld.processing import NO_CODE, JsonLdError, JsonLdOptions


def test_the_defaults_are_plain_and_so_is_any_choice_of_scripts() -> None:
    assert JsonLdOptions().is_plain
    assert JsonLdOptions(extract_all_scripts=False, base="http://h.test/").is_plain


def test_options_of_the_processor_are_not() -> None:
    assert not JsonLdOptions(processing_mode="json-ld-1.0").is_plain
    assert not JsonLdOptions(expand_context="{}").is_plain
    assert not JsonLdOptions(rdf_direction="i18n-datatype").is_plain
    assert not JsonLdOptions(produce_generalized_rdf=True).is_plain


@pytest.mark.parametrize(
    "options",
    [{"processing_mode": "1.1"}, {"rdf_direction": "rtl"}, {"expand_context": "{"}],
)
def test_options_that_are_none_are_refused_at_once(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        JsonLdOptions(**options)


def test_a_context_that_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match=r"json\.dumps"):
        JsonLdOptions(expand_context={})  # type: ignore[arg-type]


def test_of_two_errors_the_one_with_a_code_is_told() -> None:
    without = JsonLdError(NO_CODE, "something")
    with_code = JsonLdError("invalid @id value", "must be text")
    assert without.or_better(with_code) is with_code
    assert with_code.or_better(without) is with_code
