"""Pages that did not go well."""

from collections import Counter
from urllib.parse import parse_qs, urlsplit

from tests.service.running import Client
from tests.web.conftest import Look


def test_every_page_is_there_with_what_is_wrong(look: Look, ask: Client) -> None:
    found = ask("/api/problems").json["pages"]
    page = look("/problems")
    assert len(page.all("tbody tr")) == len(found) > 0
    for each in found:
        assert all(problem["message"] in page.text for problem in each["problems"][:10])


def test_a_problem_leads_to_its_line(look: Look) -> None:
    page = look("/problems", kind="problems")
    link = next(each for each in page.links("tbody a") if "#L" in each)
    path, _, line = link.partition("#")
    assert look(path).all(f"#{line}.has-problem .source-note")


def test_kinds_and_hosts_narrow_it_down(look: Look, ask: Client) -> None:
    refused = ask("/api/problems", kind="refused").json["pages"]
    assert len(look("/problems", kind="refused").all("tbody tr")) == len(refused) > 0
    host = refused[0]["url"].split("/")[2]
    page = look("/problems", host=host)
    assert f"Problems of {host}" in page.one("h1").text()
    assert "Nothing went wrong there" in look("/problems", host="nobody.test").text
    assert look("/problems", host="").all("tbody tr")
    look("/problems", status=400, kind="boredom")


def test_there_may_be_more(look: Look) -> None:
    page = look("/problems", limit=1)
    assert len(page.all("tbody tr")) == 1
    (more,) = [link for link in page.links(".button") if "after=" in link]
    following = look(more)
    assert len(following.all("tbody tr")) == 1
    assert following.all("tbody tr")[0].text() != page.all("tbody tr")[0].text()


def test_they_are_grouped_by_cause_with_hosts_and_counts(look: Look, ask: Client) -> None:
    found = ask("/api/problems", kind="refused").json["pages"]
    causes = Counter(each["why"].partition(":")[0] for each in found)
    page = look("/problems", kind="refused")
    heads = [each.text() for each in page.all("section .head")]
    assert len(heads) == len(causes)
    for head, (cause, count) in zip(heads, causes.most_common(), strict=True):
        assert cause in head
        assert f"{count:,} page" in head
    hosts = Counter(urlsplit(each["url"]).netloc for each in found)
    link = page.links("section .chips a")[0]
    (host,) = parse_qs(urlsplit(link).query)["host"]
    assert len(look(link).all("tbody tr")) == hosts[host]


def test_a_syntax_narrows_it_down_and_a_line_is_shown_at_its_place(look: Look) -> None:
    page = look("/problems", kind="problems")
    assert page.all(".excerpt .at")
    for link in page.links(".chips[aria-label=Syntaxes] a"):
        (syntax,) = parse_qs(urlsplit(link).query)["syntax"]
        narrowed = look(link)
        rows = narrowed.all("tbody tr")
        assert rows
        assert all(syntax in row.text() for row in rows)
    look("/problems", status=400, syntax="cobol")
