import pytest

from gossamer.transform.document import Document
from gossamer.transform.microformats.reading import Reader


def reader_of(page: str) -> tuple[Reader, Document]:
    document = Document("http://a.test/x/", page.encode())
    return Reader(document), document


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p> a\xa0<b>b</b>&amp;\n<!-- c --></p>", "a\xa0b&"),
        ("<p>\xa0a</p>", "\xa0a"),
        ("<p>a<script>b</script><style>c</style><template>d</template>e</p>", "ae"),
        ("<p>a<b>b<img alt=' c '></b><i>d</i></p>", "ab c d"),
        ("<p>a<img src='y'>b<img>c</p>", "a http://a.test/x/y bc"),
        ("<p>a<!-- no --><img>b</p>", "ab"),
        ("<p></p>", ""),
    ],
)
def test_text_is_what_a_reader_gets(page: str, text: str) -> None:
    reader, document = reader_of(page)
    assert reader.text(document.html.css("p")[0]) == text


def test_the_address_of_an_image_can_be_left_out() -> None:
    reader, document = reader_of("<p>a<img src='y'>b<img alt='c'></p>")
    assert reader.text(document.html.css("p")[0], sources=False) == "abc"


def test_the_base_of_the_page_counts() -> None:
    reader, _ = reader_of("<base href='//b.test/z/'>")
    assert reader.absolute("y") == "http://b.test/z/y"


def test_the_language_is_that_of_the_nearest_element() -> None:
    reader, document = reader_of('<html lang="de"><p><i>x</i><b lang="fr"><u>y</u></b>')
    assert [reader.language(document.html.css(tag)[0]) for tag in ("i", "u")] == ["de", "fr"]


def test_a_page_may_repeat_its_text_so_often_and_no_more() -> None:
    reader, document = reader_of("<span>" * 200 + "x" * 100_000)
    texts = [reader.text(element) for element in document.html.css("span")]
    assert texts[0] == "x" * 100_000
    assert texts[-1] == ""
    assert reader.too_long
    assert sum(map(len, texts)) < 20 * len(document.text) + 2**20


def test_images_count_as_work() -> None:
    reader, document = reader_of("<span>" * 200 + "<img alt=x>" * 2_000)
    texts = [reader.text(element) for element in document.html.css("span")]
    assert texts[0] == "x" * 2_000
    assert reader.too_long
