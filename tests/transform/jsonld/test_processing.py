from gossamer.transform.jsonld.processing import NO_CODE, JsonLdError, Processing, Scripts


def test_the_defaults_are_plain_and_so_is_any_choice_of_scripts() -> None:
    assert Processing().is_plain
    assert Processing(scripts=Scripts.FIRST).is_plain


def test_options_of_the_processor_are_not() -> None:
    assert not Processing(processing_mode="json-ld-1.0").is_plain
    assert not Processing(expand_context={}).is_plain
    assert not Processing(rdf_direction="i18n-datatype").is_plain


def test_of_two_errors_the_one_with_a_code_is_told() -> None:
    without = JsonLdError(NO_CODE, "something")
    with_code = JsonLdError("invalid @id value", "must be text")
    assert without.or_better(with_code) is with_code
    assert with_code.or_better(without) is with_code
