"""What the pages of the demo web are about: people, events, products, recipes, datasets, articles.

`thing(number)` depends on its number alone: the same on every machine and in every process.
Things speak schema.org; how a value is written down is up to the format.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import Final, NamedTuple, TypeVar

from gossamer.demo import words
from gossamer.demo.cast import AUTHORS, BOOKS, gtin_13

T = TypeVar("T")
_SALT: Final = b"demo web"  # with it the first eight things are of all six kinds
IDENTIFIERS: Final = "http://id.test/"  # names of things, not pages: nothing is served there


class Kind(StrEnum):
    """The type of an entity, such as book or person."""

    PERSON = "person"
    EVENT = "event"
    PRODUCT = "product"
    RECIPE = "recipe"
    DATASET = "dataset"
    ARTICLE = "article"


class Text(NamedTuple):
    """Words of people; without a language of their own they are in the thing's."""

    value: str
    language: str | None = None


class Code(NamedTuple):
    """A string that is no language: a postal code, a currency, a media type."""

    value: str


class Moment(NamedTuple):
    """A date, or a date with time and zone, in ISO form."""

    value: str


class Duration(NamedTuple):
    """A length of time, in ISO form."""

    value: str


class Whole(NamedTuple):
    """A whole number."""

    value: int


class Amount(NamedTuple):
    """A number with two decimals, never a whole one: JSON-LD types those differently."""

    hundredths: int

    @property
    def decimal(self) -> str:
        """The amount as people write it: `12.90`."""
        return f"{self.hundredths // 100}.{self.hundredths % 100:02}"


class Link(NamedTuple):
    """The name of another thing, or of this one elsewhere."""

    iri: str


class Item(NamedTuple):
    """Something described in place, without a name of its own: an address, an offer."""

    type: str  # a schema.org class
    properties: tuple["tuple[str, Value]", ...]


Value = Text | Code | Moment | Duration | Whole | Amount | Link | Item
Properties = tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing and all that is said of it."""

    number: int
    kind: Kind
    language: str
    name: str
    description: str
    item: Item  # class and properties, name and description among them
    paragraphs: tuple[str, ...]  # prose that no markup speaks of
    style: int  # 0 to 255: decides in which of its ways a format writes the thing


class Draws:
    """Repeatable choices for one number: each call takes the next byte of its digest."""

    __slots__ = ("_bytes",)

    def __init__(self, number: int) -> None:
        digest = blake2b(str(number).encode(), digest_size=64, person=_SALT)
        self._bytes = iter(digest.digest())

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1, where limit is at most 256."""
        return next(self._bytes) % limit

    def among(self, choices: tuple[T, ...]) -> T:
        """Pick one of the choices."""
        return choices[next(self._bytes) % len(choices)]

    def date(self) -> str:
        """A day of the years 2015 to 2026."""
        year, month, day = 2015 + self.below(12), 1 + self.below(12), 1 + self.below(28)
        return f"{year}-{month:02}-{day:02}"

    def identifier(self, kind: Kind, start: int = 0) -> Link:
        """The name of some thing of that kind, numbered from start to start + 255."""
        return Link(f"{IDENTIFIERS}{kind}/{start + self.below(256)}")

    def amount(self, most: int) -> Amount:
        """An amount from 1 to most, with decimals that are not zero."""
        return Amount((1 + self.below(most)) * 100 + self.among((20, 25, 49, 50, 90, 95, 99)))


class City(NamedTuple):
    """The city of an entity."""

    name: str
    country: str
    postal_code: str


_Made = tuple[str, str, Properties]  # schema.org class, name, properties
_LANGUAGES: Final = ("en", "en", "en", "de", "fr")
_KINDS: Final = tuple(Kind)


def thing(number: int, edition: int = 0) -> Thing:
    """The thing that this number stands for; in later editions, with another description and other prices."""
    draws = Draws(number)
    kind, language = draws.among(_KINDS), draws.among(_LANGUAGES)
    city = City(*draws.among(words.CITIES))
    type_, name, properties = _MAKERS[kind](draws, city)
    sentences = _sentences(kind, language, name, city, 1920 + draws.below(90))
    description = " ".join(sentences[:2])
    if edition:
        description += f" ({edition})"
        properties = _reprice(properties, edition)
    said: Properties = (
        ("name", Text(name)),
        ("description", Text(description)),
        ("sameAs", Link(f"{IDENTIFIERS}{kind}/{number}")),
        *properties,
    )
    prose = (" ".join(sentences[2:]), words.CLOSINGS[language])
    style = draws.below(256)
    return Thing(number, kind, language, name, description, Item(type_, said), prose, style)


def _reprice(properties: Properties, edition: int) -> Properties:
    """The properties with prices that have risen with each edition."""
    return tuple((name, _risen(value, edition)) for name, value in properties)


def _risen(value: Value, edition: int) -> Value:
    if not isinstance(value, Item):
        return value
    return Item(
        value.type,
        tuple(
            (name, Amount(each.hundredths + 100 * edition))
            if name == "price" and isinstance(each, Amount)
            else (name, each)
            for name, each in value.properties
        ),
    )


def _sentences(kind: Kind, language: str, name: str, city: City, year: int) -> list[str]:
    templates = words.SENTENCES[language][kind]
    return [template.format(name=name, city=city.name, year=year) for template in templates]


def _person(draws: Draws, city: City) -> _Made:
    name = _full_name(draws)
    properties: Properties = (
        ("alternateName", Text(draws.among(words.JAPANESE), "ja")),
        ("jobTitle", Text(draws.among(words.JOBS))),
        ("birthDate", Moment(f"{1930 + draws.below(75)}-0{1 + draws.below(9)}-1{draws.below(10)}")),
        ("telephone", Code(f"+99 555 0{100 + draws.below(256)}")),
        ("address", _address(draws, city)),
        ("worksFor", _organization(draws, city)),
        ("knows", draws.identifier(Kind.PERSON)),
        ("knows", draws.identifier(Kind.PERSON, start=256)),
    )
    return "Person", name, properties


def _event(draws: Draws, city: City) -> _Made:
    name = f"{draws.among(words.EVENTS)} {city.name}"
    day, hour = draws.date(), 10 + draws.below(9)
    venue = (("name", Text(draws.among(words.VENUES))), ("address", _address(draws, city)))
    properties: Properties = (
        ("startDate", Moment(f"{day}T{hour}:30:00+01:00")),
        ("endDate", Moment(f"{day}T{hour + 3}:00:00+01:00")),
        ("location", Item("Place", venue)),
        ("organizer", _organization(draws, city)),
        ("performer", draws.identifier(Kind.PERSON)),
        ("maximumAttendeeCapacity", Whole(20 + draws.below(200))),
        ("offers", _offer(draws)),
    )
    return "Event", name, properties


def _product(draws: Draws, city: City) -> _Made:
    adjective, noun = draws.among(words.ADJECTIVES), draws.among(words.PRODUCTS)
    number = words.ADJECTIVES.index(adjective) * len(words.PRODUCTS) + words.PRODUCTS.index(noun)
    rating = (
        ("ratingValue", Amount(draws.among((325, 375, 410, 450, 480)))),
        ("reviewCount", Whole(1 + draws.below(250))),
    )
    properties: Properties = (
        ("sku", Code(f"{city.country}-{1000 + draws.below(256)}")),
        ("gtin13", Code(gtin_13(number))),
        ("alternateName", Text(draws.among(words.JAPANESE), "ja")),
        ("brand", Item("Brand", (("name", Text(draws.among(words.BRANDS))),))),
        ("offers", _offer(draws)),
        ("aggregateRating", Item("AggregateRating", rating)),
        ("isRelatedTo", draws.identifier(Kind.PRODUCT)),
    )
    return "Product", f"{adjective} {noun}", properties


def _recipe(draws: Draws, city: City) -> _Made:
    name = f"{draws.among(words.ADJECTIVES)} {city.name} {draws.among(words.DISHES)}"
    first = draws.below(len(words.INGREDIENTS))
    chosen = (words.INGREDIENTS + words.INGREDIENTS)[first : first + 5]
    nutrition = (("calories", Text(f"{150 + draws.below(250)} kcal")),)
    properties: Properties = (
        ("author", _author(draws)),
        ("datePublished", Moment(draws.date())),
        ("totalTime", Duration(f"PT{15 + draws.below(200)}M")),
        ("recipeYield", Text(f"{1 + draws.below(8)} servings")),
        ("recipeCuisine", Text(draws.among(words.CUISINES))),
        *(("recipeIngredient", Text(ingredient)) for ingredient in chosen),
        ("nutrition", Item("NutritionInformation", nutrition)),
    )
    return "Recipe", name, properties


def _dataset(draws: Draws, city: City) -> _Made:
    measure = draws.among(words.MEASURES)
    file = f"{IDENTIFIERS}files/{draws.below(256)}.csv"
    download = (("contentUrl", Link(file)), ("encodingFormat", Code("text/csv")))
    license_ = f"http://creativecommons.org/licenses/{draws.among(words.LICENSES)}/4.0/"
    properties: Properties = (
        ("creator", _organization(draws, city)),
        ("datePublished", Moment(draws.date())),
        ("license", Link(license_)),
        ("variableMeasured", Text(measure)),
        ("version", Code(f"1.{draws.below(20)}.{draws.below(10)}")),
        ("distribution", Item("DataDownload", download)),
    )
    return "Dataset", f"{measure} in {city.name}", properties


def _article(draws: Draws, city: City) -> _Made:
    opening, topic = draws.among(words.OPENINGS), draws.among(words.TOPICS)
    name = f"{opening} {topic}"
    book = BOOKS[words.TOPICS.index(topic)]
    spelling = book.spellings[words.OPENINGS.index(opening) % 2]
    written = draws.date()
    properties: Properties = (
        ("headline", Text(name)),
        ("author", _author(draws)),
        ("publisher", _organization(draws, city)),
        ("datePublished", Moment(written)),
        ("dateModified", Moment(f"{written}T{10 + draws.below(10)}:15:00Z")),
        ("articleSection", Text(draws.among(words.SECTIONS))),
        ("wordCount", Whole(300 + draws.below(256) * 7)),
        ("about", draws.identifier(Kind.EVENT)),
        ("citation", Item("Book", (("name", Text(book.name)), ("isbn", Code(spelling))))),
    )
    return "Article", name, properties


_MAKERS: Final[Mapping[Kind, Callable[[Draws, City], _Made]]] = {
    Kind.PERSON: _person,
    Kind.EVENT: _event,
    Kind.PRODUCT: _product,
    Kind.RECIPE: _recipe,
    Kind.DATASET: _dataset,
    Kind.ARTICLE: _article,
}


def _full_name(draws: Draws) -> str:
    return f"{draws.among(words.FIRST_NAMES)} {draws.among(words.LAST_NAMES)}"


def _author(draws: Draws) -> Item:
    author = AUTHORS[(draws.below(256) * 256 + draws.below(256)) % len(AUTHORS)]
    identity = ("email", Code(author.email)) if author.email else ("sameAs", Link(author.home))
    return Item("Person", (("name", Text(author.name)), identity))


def _organization(draws: Draws, city: City) -> Item:
    name = f"{city.name} {draws.among(words.ORGANIZATIONS)}"
    page = Link(f"{IDENTIFIERS}organization/{draws.below(256)}")
    return Item("Organization", (("name", Text(name)), ("url", page)))


def _address(draws: Draws, city: City) -> Item:
    properties = (
        ("streetAddress", Text(f"{draws.among(words.STREETS)} {1 + draws.below(120)}")),
        ("postalCode", Code(city.postal_code)),
        ("addressLocality", Text(city.name)),
        ("addressCountry", Code(city.country)),
    )
    return Item("PostalAddress", properties)


def _offer(draws: Draws) -> Item:
    properties = (
        ("price", draws.amount(150)),
        ("priceCurrency", Code(draws.among(("EUR", "CHF", "PLN", "NOK")))),
    )
    return Item("Offer", properties)
