"""The visible text of an HTML page: title, headings and main part, told apart from navigation and boilerplate. Pure.

The main part is what `main` or the longest `article` has, where that is enough of the text, and else the body.
Menus, footers, side columns, dialogs and lists of links are taken out of it. All of it works on the tree that
the page was parsed into for its data, and **changes that tree**: nothing else may be read from it afterwards.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.transform.text.languages import language_of
from gossamer.transform.text.page_text import (
    FULL_CHARACTERS,
    LEAD_CHARACTERS,
    TITLE_CHARACTERS,
    PageText,
    distinct_headings,
    one_spaced,
    shorten,
)

# Each selector is tried on every element of the page, so there are few, and attributes are looked at afterwards.
_NEVER_SEEN: Final = frozenset(
    ("script", "style", "template", "noscript", "svg", "iframe", "select", "textarea", "button")
)
_NAVIGATION: Final = frozenset(("nav", "footer", "aside", "dialog"))
_NAVIGATION_ROLES: Final = frozenset(
    (
        "navigation",
        "contentinfo",
        "complementary",
        "search",
        "dialog",
        "alertdialog",
        "menu",
        "menubar",
    )
)
_UNWANTED: Final = ",".join(
    (
        *sorted(_NEVER_SEEN | _NAVIGATION),
        "[hidden]",
        "[aria-hidden=true]",
        "[data-nosnippet]",
        "[role]",
    )
)
# By what sites call them.
_CALLED: Final = (
    "[class*=breadcrumb],[class*=cookie],[class*=sidebar],[class*=footer],[class*=related],"
    "[class*=share],[id*=cookie],[id*=sidebar],[id*=footer],[id*=comments]"
)
_BANNERS: Final = "header,[role=banner]"  # of the page; an article's own has its title
_LISTS: Final = "ul,ol,dl,table"
_MAIN: Final = "main,article"
_HEADINGS: Final = "h1,h2,h3"
_ENOUGH: Final = 0.3  # of the text of the body is in what is taken for the main part
_SURELY_ENOUGH: Final = 1_000  # characters
_MOST_TAKEN_OUT: Final = 0.4  # of a text, by what sites call an element: they may call all of it so
_FEWEST_LINKS: Final = 3  # in a list of links …
_LINK_SHARE: Final = 0.7  # … and their part of its text
_MOST_LOOKED_AT: Final = 300  # elements of one kind, whose texts may stand in each other


def take_text(tree: LexborHTMLParser, *, is_full: bool) -> PageText:
    """The text of a page, of which the lead or all is kept; the tree is used up."""
    head, body = tree.head, tree.body
    titled = None if head is None else head.css_first("title")
    title = "" if titled is None else one_spaced(_text(titled))
    language = _stated(tree)
    if body is None:
        return PageText(shorten(title, TITLE_CHARACTERS), language=language)
    unwanted = body.css(_UNWANTED)
    if is_full:
        _remove(body, filter(_is_unseen, unwanted))
        whole = one_spaced(_text(body))
        unwanted = body.css(_UNWANTED)
    else:
        whole = ""
    _remove(body, (each for each in unwanted if _is_navigation(each) or _is_unseen(each)))
    main = _main_part(body)
    headings = _headings(body if main is None else main)
    if main is None:
        main = body
        _remove(main, main.css(_BANNERS))
    _remove_called(main)
    _remove_link_lists(main)
    text = one_spaced(_text(main))
    rest = whole if len(whole) > len(text) else ""  # what was taken out stands somewhere in it
    most = FULL_CHARACTERS if is_full else LEAD_CHARACTERS
    kept = shorten(text, most)
    return PageText(
        shorten(title, TITLE_CHARACTERS),
        distinct_headings(headings),
        kept,
        shorten(rest, most),
        language or language_of(kept),
        is_cut=len(kept) < len(text),
    )


def _text(node: LexborNode) -> str:
    return node.text(deep=True, separator=" ")


def _is_navigation(node: LexborNode) -> bool:
    return node.tag in _NAVIGATION or node.attributes.get("role") in _NAVIGATION_ROLES


def _is_unseen(node: LexborNode) -> bool:
    attributes = node.attributes
    return (
        node.tag in _NEVER_SEEN
        or "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or "data-nosnippet" in attributes
    )


def _headings(node: LexborNode) -> list[str]:
    return [_text(each) for each in node.css(_HEADINGS)[:_MOST_LOOKED_AT]]


def _remove(root: LexborNode, nodes: Iterable[LexborNode]) -> None:
    """Remove elements below the root, each once, the inner ones of nested ones first."""
    for number, node in reversed({node.mem_id: node for node in nodes}.items()):
        if number != root.mem_id:
            node.decompose()


def _main_part(body: LexborNode) -> LexborNode | None:
    """The element with the main part, if the page names one that can be believed."""
    candidates = body.css(_MAIN)
    if not candidates:
        return None
    sizes = [(len(_text(each)), each) for each in candidates[:20]]
    size, longest = max(sizes, key=lambda each: each[0])
    if size >= _SURELY_ENOUGH or size >= _ENOUGH * len(_text(body)):
        return longest
    return None


def _remove_called(main: LexborNode) -> None:
    if found := main.css(_CALLED)[:_MOST_LOOKED_AT]:
        most = _MOST_TAKEN_OUT * len(_text(main))
        _remove(main, [node for node in found if len(_text(node)) <= most])


def _remove_link_lists(main: LexborNode) -> None:
    """Remove lists that are hardly more than links."""
    lists = main.css(_LISTS)[:_MOST_LOOKED_AT]
    _remove(main, [node for node in lists if _is_link_list(node)])


def _is_link_list(node: LexborNode) -> bool:
    links = node.css("a")
    if len(links) < _FEWEST_LINKS:
        return False
    return sum(len(_text(each)) for each in links) >= _LINK_SHARE * len(_text(node))


def _stated(tree: LexborHTMLParser) -> str:
    """The language that the page states for all of it."""
    return next(_tags(tree), "")


def _tags(tree: LexborHTMLParser) -> Iterator[str]:
    root = tree.root
    if root is None or root.tag != "html":
        return
    attributes = root.attributes
    for name in ("lang", "xml:lang"):
        tag = (attributes.get(name) or "").strip().lower().replace("_", "-")
        if tag and all(part.isascii() and part.isalnum() for part in tag.split("-")):
            yield tag
