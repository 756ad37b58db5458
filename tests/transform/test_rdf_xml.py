from pathlib import Path

from tests.transform.rdf_sources import RDF_XML_START, problems, read_xml, statements

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def test_entities_of_the_document_work_as_owl_files_want() -> None:
    doctype = '<?xml version="1.0"?>\n<!DOCTYPE rdf:RDF [\n<!ENTITY e "http://e.test/" >\n]>\n'
    items = read_xml('<e:C rdf:about="&e;x"><e:p>&e;</e:p></e:C>', doctype)
    assert statements(items) == [
        f"<http://e.test/x> <{RDF}type> <http://e.test/C>",
        '<http://e.test/x> <http://e.test/p> "http://e.test/"',
    ]
    assert problems(items) == []


def test_attributes_of_the_old_days_are_understood() -> None:
    items = read_xml(
        '<rdf:Seq about="s">\n<rdf:li resource="x"/><rdf:li kind="y">z</rdf:li></rdf:Seq>'
    )
    subject = "<https://example.test/a/s>"
    assert statements(items) == [
        f"{subject} <{RDF}type> <{RDF}Seq>",
        f"{subject} <{RDF}_1> <https://example.test/a/x>",
        f'{subject} <{RDF}_2> "z"',
    ]
    assert problems(items) == [(3, "The attribute kind is in no namespace; left out.")]


def test_attributes_inside_xml_literals_are_theirs() -> None:
    items = read_xml('<e:C><e:p rdf:parseType="Literal"><b about="x">y</b></e:p></e:C>')
    assert 'about=\\"x\\"' in statements(items)[1]
    assert problems(items) == []


def test_broken_xml_is_recovered() -> None:
    items = read_xml("<e:C>\n<e:p>this & that</e:q>\n<e:q>1</e:q></e:C>")
    assert [line.split(" ", 2)[2] for line in statements(items)[:2]] == [
        "<http://e.test/C>",
        '"this & that"',
    ]
    assert [line for line, _ in problems(items)] == [3, 3]


def test_what_comes_before_an_error_is_kept_and_its_line_told() -> None:
    items = read_xml("<e:C>\n<e:p>1</e:p>\n<e:q rdf:ID='1 2'>x</e:q>\n<e:r>3</e:r></e:C>")
    assert [line.split(" ", 2)[2] for line in statements(items)] == ["<http://e.test/C>", '"1"']
    ((line, message),) = problems(items)
    assert line == 4
    assert "1 2" in message


def test_nesting_ends_before_it_costs_too_much() -> None:
    # The reader alone takes minutes over this.
    items = read_xml("<e:C><e:p>" * 50_000, after="")
    assert 100 < len(statements(items)) < 1000
    assert "depth" in problems(items)[0][1]


def test_a_bomb_has_nothing_inside() -> None:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    doctype = f'<!DOCTYPE rdf:RDF [<!ENTITY e0 "bomb">{levels}]>'
    items = read_xml("<e:C><e:p>&e11;</e:p><e:q>2</e:q></e:C>", doctype)
    assert '"2"' in statements(items)[-1]
    assert "far too much" in problems(items)[0][1]
    # A second DOCTYPE, where the first pass does not look for one, is nothing but text.
    assert max(map(len, statements(read_xml("<e:C/>", f"<!DOCTYPE a>{doctype}"))), default=0) < 200


def test_no_file_is_ever_read(tmp_path: Path) -> None:
    canary = tmp_path / "canary.txt"
    canary.write_text("secret")
    doctype = f'<!DOCTYPE rdf:RDF [<!ENTITY x SYSTEM "{canary.as_uri()}">]>'
    items = read_xml("<e:C><e:p>&x;</e:p></e:C>", doctype)
    assert "secret" not in str(items)
    assert statements(items)[1].endswith('"&x;"')


def test_a_root_that_is_no_rdf_is_one_problem() -> None:
    assert RDF_XML_START.startswith("<rdf:RDF")
    items = read_xml("", "<html><body>", "</rdf:RDF></body></html>")
    assert statements(items) == []
    assert len(problems(items)) == 1
