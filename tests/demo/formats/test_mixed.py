from tests.demo.formats.reading import pages

from gossamer.demo.content import Format
from gossamer.model import Syntax


def test_four_syntaxes_speak_on_one_page() -> None:
    for read in pages(Format.MIXED, 20):
        assert set(read.rendered.triples) == {
            *(Syntax.PAGE, Syntax.RDFA, Syntax.MICRODATA, Syntax.JSON_LD, Syntax.OPEN_GRAPH)
        }


def test_what_two_syntaxes_say_alike_counts_once() -> None:
    for read in pages(Format.MIXED, 20):
        triples = read.rendered.triples
        assert any(
            "schema.org/name" in line for line in triples[Syntax.RDFA] & triples[Syntax.JSON_LD]
        )
        assert read.rendered.quads < sum(len(lines) for lines in triples.values())


def test_two_syntaxes_never_share_a_blank_node() -> None:
    for read in pages(Format.MIXED, 20):
        three = (Syntax.RDFA, Syntax.MICRODATA, Syntax.JSON_LD)
        labels = [
            {
                word
                for line in read.rendered.triples[syntax]
                for word in line.split()
                if word[:2] == "_:"
            }
            for syntax in three
        ]
        assert all(labels)
        assert len(set().union(*labels)) == sum(len(each) for each in labels)
