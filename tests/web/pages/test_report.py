"""The report on the structured data of what was crawled."""

from tests.service.running import Client
from tests.web.conftest import Look


def test_scores_findings_and_types_are_those_of_the_service(look: Look, ask: Client) -> None:
    told = ask("/api/report").json
    assert told["pages"] > 10
    page = look("/report")
    assert f"{told['score']} of 100 points" in page.text
    sections = [each.text().strip() for each in page.all("#scores ~ .scroll th[scope=row]")]
    assert sections == [each["section"] for each in told["scores"]]
    assert told["errors"] > 0
    for rule in told["rules"]:
        for cause in rule["causes"]:
            assert cause["cause"][:40] in page.text
    assert told["types"][0]["type"] in page.text


def test_a_host_has_a_report_of_its_own_and_its_findings_lead_to_their_lines(
    look: Look, ask: Client
) -> None:
    hosts = ask("/api/report").json["hosts"]
    counts = [ask("/api/report", host=each["host"]).json["pages"] for each in hosts]
    assert counts == [each["pages"] for each in hosts]
    lined = next(
        example
        for each in hosts
        for rule in ask("/api/report", host=each["host"]).json["rules"]
        for cause in rule["causes"]
        for example in cause["examples"]
        if example["line"]
    )
    host = lined["page"].split("/")[2].partition(":")[0]
    page = look("/report", host=host)
    assert host in page.one("h1").text()
    link = next(each for each in page.links("details a") if each.endswith(f"#L{lined['line']}"))
    assert look(link.partition("#")[0]).all(f"#L{lined['line']}")


def test_of_a_host_that_nobody_knows_nothing_is_told(look: Look) -> None:
    assert "No page of that host was checked." in look("/report", host="nobody.test").text
