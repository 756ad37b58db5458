import pytest
from tests.report.clean_items import CLEAN
from tests.report.markup import SYNTAXES, markup, page
from tests.report.planted import KINDS, planted_pages

import gossamer
from gossamer.report.finding import Finding
from gossamer.report.page import RulePage
from gossamer.report.rules import check_page, load_rules


def findings(text: str) -> list[Finding]:
    read = gossamer.extract(text, url="http://a.test/page")
    return [*check_page(RulePage(read, lambda: text), load_rules(()))]


def test_each_of_sixty_planted_mistakes_is_found_once_at_its_line_and_nothing_else() -> None:
    count = 0
    for text, mistakes in planted_pages():
        found = findings(text)
        told = sorted((each.rule, each.line or 0) for each in found)
        assert told == sorted((each.rule, each.line) for each in mistakes)
        for mistake in mistakes:
            (fix,) = [
                f.fix or "" for f in found if (f.rule, f.line) == (mistake.rule, mistake.line)
            ]
            assert mistake.hints in fix
        assert all(each.see and each.see.startswith("https://schema.org/") for each in found)
        assert all(each.entity for each in found)
        count += len(mistakes)
    assert (count, len(KINDS)) == (62, 31)


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_nothing_is_found_on_clean_pages(syntax: str) -> None:
    assert len(CLEAN) * len(SYNTAXES) == 100
    for item in CLEAN:
        assert findings(page(markup(item, syntax))) == [], item["@type"]
