from gossamer.transform.xml_entities import doctype


def test_an_entity_stands_for_its_text_and_for_what_is_inside() -> None:
    text, entities = doctype("<!DOCTYPE a [<!ENTITY x \"1&y;3\"> <!ENTITY y '2'>]><a/>")
    assert text == "<a/>"
    assert entities.value("x") == "123"
    assert entities.value("z") is None
    assert entities.problems() == []


def test_the_first_declaration_counts_and_comments_declare_nothing() -> None:
    subset = '<!-- <!ENTITY x "0"> --><!ENTITY x "1"><!ENTITY x "2">'
    assert doctype(f"<!DOCTYPE a [{subset}]><a/>")[1].value("x") == "1"


def test_lines_stay_where_they_are() -> None:
    assert doctype('\n<!-- -->\n<!DOCTYPE a [\n<!ENTITY x "]>">\n]>\n<a/>')[0] == (
        "\n<!-- -->\n\n\n\n<a/>"
    )


def test_a_doctype_behind_the_root_is_none() -> None:
    text = '<a><!DOCTYPE a [<!ENTITY x "1">]></a>'
    kept, entities = doctype(text)
    assert kept == text
    assert entities.value("x") is None


def test_a_broken_doctype_goes_up_to_its_first_angle_bracket() -> None:
    assert doctype('<!DOCTYPE a [<!ENTITY x "1><a/>')[0] == "<a/>"


def test_entities_in_other_files_are_only_reported() -> None:
    text = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a/>'
    entities = doctype(text)[1]
    assert entities.value("x") is None
    assert ["another file" in problem.message for problem in entities.problems()] == [True]


def test_a_bomb_has_nothing_inside() -> None:
    levels = [f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 15)]
    entities = doctype(f'<!DOCTYPE a [<!ENTITY e0 "bomb">{"".join(levels)}]><a/>')[1]
    assert entities.value("e2") == "bomb" * 100
    assert entities.value("e14") == ""
    assert "far too much" in entities.problems()[0].message


def test_entities_that_hold_themselves_end() -> None:
    entities = doctype('<!DOCTYPE a [<!ENTITY x "1&y;"><!ENTITY y "2&x;">]><a/>')[1]
    assert entities.value("x") == "12"
    assert "hold themselves" in entities.problems()[0].message


def test_a_long_chain_of_entities_ends() -> None:
    chain = "".join(f'<!ENTITY e{n} "&e{n + 1};">' for n in range(20_000))
    entities = doctype(f"<!DOCTYPE a [{chain}]><a/>")[1]
    assert entities.value("e0") == ""
    assert entities.problems()
