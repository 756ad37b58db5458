from pathlib import Path

from tests.site_report.sites import found, html, ld

from gossamer.report.finding import Severity

A = "http://a.test/"
SHOP = {"@type": "Organization", "@id": f"{A}#shop", "name": "The Lamp Works"}


def test_one_id_for_things_of_two_types_is_told_at_its_line(tmp_path: Path) -> None:
    lamp = {"@type": "Product", "@id": f"{A}#it", "name": "Lamp"}
    event = {"@type": "Event", "@id": f"{A}#it", "name": "Lamp"}
    (finding,) = found(tmp_path, {f"{A}1": html(ld(lamp)), f"{A}2": html(ld(event))})
    assert finding.message == f'"{A}#it" is an Event here, and a Product at {A}1.'
    assert (finding.rule, finding.page, finding.line) == ("two-things", f"{A}2", 9)
    assert finding.severity is Severity.ERROR


def test_one_id_with_two_names_is_told_unless_their_languages_differ(tmp_path: Path) -> None:
    other = {**SHOP, "name": "Another"}
    (finding,) = found(tmp_path, {f"{A}1": html(ld(SHOP)), f"{A}2": html(ld(other))})
    assert finding.message.startswith(f'"{A}#shop" is called "Another" here')
    (tmp_path / "de").mkdir()
    german = html(ld(other)).replace("lang=en", "lang=de")
    assert found(tmp_path / "de", {f"{A}1": html(ld(SHOP)), f"{A}2": german}) == []


def test_a_subclass_and_a_name_that_is_missing_are_no_contradiction(tmp_path: Path) -> None:
    more = {"@type": "OnlineStore", "@id": f"{A}#shop"}
    assert found(tmp_path, {f"{A}1": html(ld(SHOP)), f"{A}2": html(ld(more))}) == []


def test_one_thing_under_two_ids_is_told_once(tmp_path: Path) -> None:
    lamp = {"@type": "Product", "name": "Lamp", "gtin13": "4006381333931"}
    pages = {f"{A}{n}": html(ld({**lamp, "@id": f"{A}{n % 2}#it"})) for n in range(6)}
    (finding,) = found(tmp_path, pages)
    assert finding.message == (
        f'gtin 4006381333931 has the @id "{A}1#it" here, and "{A}0#it" at {A}0.'
    )
    assert (finding.rule, finding.fix) == ("two-ids", f"Write {A}0#it everywhere.")
    (tmp_path / "hosts").mkdir()
    elsewhere = html(ld({**lamp, "@id": "http://b.test/#it"}))
    assert found(tmp_path / "hosts", {A: pages[f"{A}0"], "http://b.test/": elsewhere}) == []


def test_an_organisation_with_two_ids_is_told(tmp_path: Path) -> None:
    again = {**SHOP, "@id": f"{A}about#shop"}
    (finding,) = found(tmp_path, {f"{A}1": html(ld(SHOP)), f"{A}2": html(ld(again))})
    assert (finding.rule, finding.page) == ("two-ids", f"{A}2")


def test_same_as_that_is_dead_or_not_mutual(tmp_path: Path) -> None:
    gone = {**SHOP, "sameAs": ["http://b.test/gone", "http://b.test/there"]}
    (finding,) = found(
        tmp_path, {A: html(ld(gone))}, {"http://b.test/gone": 404, "http://b.test/there": 200}
    )
    assert finding.message == 'sameAs leads to "http://b.test/gone", which was answered with 404.'
    assert (finding.rule, finding.line) == ("same-as", 12)
    (tmp_path / "mutual").mkdir()
    ada = {"@type": "Person", "@id": f"{A}ada", "sameAs": "http://b.test/ada"}
    also = {"@type": "Person", "@id": "http://b.test/ada"}
    pages = {A: html(ld(ada)), "http://b.test/": html(ld(also))}
    (finding,) = found(tmp_path / "mutual", pages)
    assert "does not lead back" in finding.message
    back = html(ld({**also, "sameAs": f"{A}ada"}))
    (tmp_path / "back").mkdir()
    assert found(tmp_path / "back", {**pages, "http://b.test/": back}) == []
