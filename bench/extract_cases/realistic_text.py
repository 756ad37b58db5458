"""Words, sentences and paragraphs that repeat from run to run, and the slips of those who type HTML.

All words are our own. They come from a generator with a seed, so that a page is the same bytes on
every machine.
"""

from random import Random

_TEXT = (
    "about after again along always among another around basket because before between board bread"
    " bright butter carry city clear cloud coast colour cook cotton cover cream daily dark door"
    " early easy evening every fast field fire first flour fresh garden gentle glass gold good"
    " grain green hand harbour heavy hill house island kettle kitchen lamp large late leaf letter"
    " light linen little long market maker meadow metal middle milk morning mountain narrow near"
    " never north often olive open orange oven paper pepper place plain plate quiet rain ready red"
    " rest rice river road roof salt season shelf short silver simple slow small smoke soft soup"
    " south spoon spring square stone street strong sugar summer sweet table thick thin timber tower"
    " town under valley village walk wall warm water weather west white wide wild wind window winter"
    " without wood wool work yellow café crème brûlée jalapeño Straße Zürich Łódź naïve façade"
)
_WORDS = _TEXT.split()
_NAMES = ("Ada", "Bela", "Cem", "Dana", "Emil", "Fatou", "Goran", "Hana", "Ines", "Jonas", "Kaya")
_SURNAMES = ("Aller", "Bruun", "Castell", "Dorn", "Ekberg", "Fontana", "Gérard", "Hollis", "Köhler")
# What people type between words: references without their semicolon, bare ampersands, Windows-1252.
_SLIPS = (
    *("AT&T", "Q&A;", "R&amp;D", "&copy 2024", "&nbsp;&nbsp", "&#150;", "it&#8217;s", "&bogus;"),
    *("3 < 4", "&eacute;t&eacute", "5&frac12; cups", "&#x2014;", "&amp;amp;", "50% & more"),
)
# Elements that are closed in the wrong order, twice, or never.
_BROKEN = (
    *(
        "<b>{}<i>{}</b></i>",
        "<p>{}<p>{}",
        "<br/>{}<BR>{}",
        "{}</span>{}</div >",
        "<em>{}</em>{}</em>",
    ),
    *("<font color=red>{}</font><center>{}</center>", '<a href="/x?a=1&b=2&copy=3">{}</a> {}'),
    *("<p style='color:#333' style=''>{}<div>{}</div></p>", "<u>{}<table><tr>{}</table></u>"),
)


class Text:
    """A source of text for one page."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)

    def words(self, count: int) -> str:
        return " ".join(self.chance.choices(_WORDS, k=count))

    def title(self, count: int = 4) -> str:
        return self.words(count).title()

    def person(self) -> str:
        return f"{self.chance.choice(_NAMES)} {self.chance.choice(_SURNAMES)}"

    def sentence(self) -> str:
        """A sentence of 6 to 16 words without markup."""
        return self.words(self.chance.randint(6, 16)).capitalize() + "."

    def prose(self, count: int) -> str:
        """Sentences without markup, as in JSON."""
        return " ".join(self.sentence() for _ in range(count))

    def messy(self) -> str:
        """A sentence of HTML as people type it: now and then a slip, now and then broken nesting."""
        sentence, kind = self.sentence(), self.chance.random()
        if kind < 0.15:
            return f"{sentence} {self.chance.choice(_SLIPS)} "
        if kind < 0.3:
            return self.chance.choice(_BROKEN).format(sentence, self.words(4))
        if kind < 0.5:
            return f'<a href="/{self.slug()}">{self.words(3)}</a> {sentence}'
        return sentence

    def paragraph(self, classes: str = "mb-4 text-base leading-7 text-gray-700") -> str:
        sentences = " ".join(self.messy() for _ in range(self.chance.randint(3, 7)))
        return f'<p class="{classes}">{sentences}</p>\n'

    def paragraphs(self, count: int) -> str:
        return "".join(self.paragraph() for _ in range(count))

    def slug(self) -> str:
        return "-".join(self.chance.choices(_WORDS[:100], k=3))

    def number(self, low: int, high: int) -> int:
        return self.chance.randint(low, high)

    def price(self) -> str:
        return f"{self.number(1, 400)}.{self.number(0, 99):02}"

    def day(self) -> str:
        return f"20{self.number(15, 25)}-{self.number(1, 12):02}-{self.number(1, 28):02}"

    def hexadecimal(self, digits: int) -> str:
        return f"{self.chance.getrandbits(4 * digits):0{digits}x}"
