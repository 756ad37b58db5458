from tests.transform.feeds.reading import read, short

from gossamer.transform.feeds import rss_statements

MEDIA = 'xmlns:media="http://search.yahoo.com/mrss/"'


def said(inside: str) -> str:
    items = read(rss_statements, f"<rss {MEDIA}><channel><item>{inside}</item></channel></rss>")
    return "\n".join(short(items))


def test_titles_of_media_stand_in_for_those_of_the_entry() -> None:
    media = "<media:group><media:title>M</media:title><media:description>D</media:description></media:group>"
    assert 'rss:title "M"' in said(media)
    assert 'rss:description "D"' in said(media)
    assert 'rss:title "M"' not in said(f"<title>T</title>{media}")


def test_files_of_a_group_have_its_title_and_description() -> None:
    found = said(
        "<title>T</title><media:group><media:description>D</media:description>"
        "<media:title>M</media:title><media:content url='/v'/></media:group>"
    )
    assert 'schema:name "M"' in found
    assert 'schema:description "D"' in found


def test_categories_and_keywords_are_subjects() -> None:
    found = said("<media:category>a</media:category><media:keywords>b, c</media:keywords>")
    assert all(f'dcterms:subject "{each}"' in found for each in "abc")
