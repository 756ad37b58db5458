"""Microdata items as nested dictionaries: `{"type": …, "id": …, "properties": {name: value or list}}`.

A name with one value has it as it is, and one with several has a list, in document order. An item that several others refer to
is written in each of them, unless it would be within itself; limits on depth, visits and text bound the whole.
"""

from collections.abc import Sequence
from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.transform.document import Document
from gossamer.transform.iris import join
from gossamer.transform.items.sizes import ItemBudget, affordable
from gossamer.transform.microdata.elements import Attributes, marked_elements
from gossamer.transform.microdata.skeleton import Marked, Skeleton
from gossamer.transform.microdata.values import PLACES
from gossamer.transform.nearest import Nearest
from gossamer.transform.references import References

Entry = dict[str, Any]
_OF_A_NODE: Final = 64  # characters that looking at a node is worth
_OF_AN_ITEM: Final = 128  # characters that an item is worth by itself
_BREAK: Final = "\0"  # no text of an HTML page has it


def _ids(*tags: str) -> frozenset[int]:
    """The numbers by which the parser knows tags: a name would be made each time."""
    tree = LexborHTMLParser("")
    return frozenset(tree.create_node(tag).tag_id for tag in tags)


(_BR,) = _ids("br")
_COMMENT: Final = next(
    iter(LexborHTMLParser("<p><!--x-->").css("p")[0].iter(include_text=True))
).tag_id
_UNSEEN: Final = _ids("script", "style", "template") | {_COMMENT}
_BLOCKS: Final = _ids(
    *("address", "article", "aside", "blockquote", "dd", "details", "div", "dl", "dt", "fieldset"),
    *("figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr"),
    *("li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "td", "th", "tr", "ul"),
)
# What has the text of an element made line by line.
_LINED: Final = _BLOCKS | _ids("br", "script", "style", "template")


MOST_DEPTH: Final = (
    128  # items within items; `json.dumps` recurses, and gives up at some hundred levels
)


def microdata_items(document: Document) -> list[Entry]:
    """The items of a page that are no property of another, with all others inside them."""
    nested = _nested_items(document)
    if nested is not None:
        return nested
    document.items_are_cut = False  # what they are told of is not used
    return affordable(_Referring(document).items(), document)


class _ItemInProgress:
    """An item whose properties are still being met."""

    __slots__ = ("depth", "entry", "properties")

    def __init__(self, attributes: Attributes, depth: int, values: "_RawValues") -> None:
        self.depth = depth
        self.properties: dict[str, Any] = {}
        self.entry: Entry = {}
        types = (attributes.get("itemtype") or "").split()
        if types:
            self.entry["type"] = types[0] if len(types) == 1 else types
        if name := (attributes.get("itemid") or "").strip():
            self.entry["id"] = values.address(name)
        self.entry["properties"] = self.properties

    def add(self, names: Sequence[str], value: Any) -> None:  # noqa: ANN401 (a text or an item)
        """Add a value by each of its names; the second one makes a list."""
        properties = self.properties
        for name in names:
            if name not in properties:
                properties[name] = value
            elif type(before := properties[name]) is list:
                before.append(value)
            else:
                properties[name] = [before, value]


def _nested_items(document: Document) -> list[Entry] | None:
    """The items of a page, in one pass over its elements; None if an item has `itemref`."""
    values = _RawValues(document)
    nearest: Nearest[_ItemInProgress | None] = Nearest(None)
    known = nearest.known
    keeps_orphans = not document.options.strict
    max_depth = min(document.options.max_depth, MOST_DEPTH)
    tops: list[Entry] = []
    shared = False  # whether anything has two names
    names_in: dict[str | None, list[str]] = {}  # by attribute: pages repeat theirs
    for node in marked_elements(document.html):
        attributes = node.attributes
        parent = node.parent
        key = 0 if parent is None else parent.mem_id
        around = known[key] if key in known else nearest.around(node)
        attribute = attributes.get("itemprop")
        if attribute in names_in:
            names = names_in[attribute]
        else:
            names = names_in[attribute] = (attribute or "").split()
            shared = shared or len(names) > 1
        if "itemscope" not in attributes:
            if around is not None and names:
                value = values.of(node, attributes)
                if value is not None:
                    around.add(names, value)
            continue
        if "itemref" in attributes:
            return None
        is_property = "itemprop" in attributes or "itemprop-reverse" in attributes
        depth = around.depth + 1 if around is not None and is_property else 1
        if depth > max_depth or (is_property and around is None and not keeps_orphans):
            keeps_orphans = (
                keeps_orphans and depth <= max_depth
            )  # what is inside is left out as well
            known[node.mem_id] = None
            continue
        item = known[node.mem_id] = _ItemInProgress(attributes, depth, values)
        if depth == 1:
            tops.append(item.entry)
        elif around is not None:
            around.add(names, item.entry)
    return affordable(tops, document) if shared else tops


class _Referring:
    """Items of a page with `itemref`, each gathered from all over the page."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._max_depth = min(document.options.max_depth, MOST_DEPTH)
        self._keeps_orphans = not document.options.strict
        self._skeleton = Skeleton(document.html)
        self._values = _RawValues(document)
        self._met: set[Marked] = set()

    def items(self) -> list[Entry]:
        found = [self._whole(top) for top in self._skeleton.top_items]
        found += [
            self._whole(item)
            for item in self._skeleton.inner_items
            if self._keeps_orphans and item not in self._met
        ]
        if self._skeleton.is_tired:
            self._document.items_are_cut = True
        return found

    def _whole(self, top: Marked) -> Entry:
        """An item with all that it leads to, from a stack of our own."""
        first = _ItemInProgress(top.attributes, 1, self._values)
        opened: set[Marked] = set()
        stack: list[tuple[Marked, _ItemInProgress | None]] = [(top, first)]
        while stack:
            element, item = stack.pop()
            if item is None:
                opened.remove(element)
                continue
            opened.add(element)
            self._met.add(element)
            stack.append((element, None))
            stack += reversed(self._describe(element, item, opened))
        return first.entry

    def _describe(
        self, element: Marked, item: _ItemInProgress, opened: set[Marked]
    ) -> list[tuple[Marked, _ItemInProgress | None]]:
        """Add the properties of an item; the items among them are still to be described."""
        inner: list[tuple[Marked, _ItemInProgress | None]] = []
        for each in self._skeleton.properties(element)[0]:
            value: Any
            if not each.is_item:
                value = self._values.of(each.node, each.attributes)
            elif each in opened:
                value = None  # a loop
            elif item.depth >= self._max_depth:
                value, self._keeps_orphans = None, False
            elif not self._values.pays_for_an_item():
                value = None
            else:
                nested = _ItemInProgress(each.attributes, item.depth + 1, self._values)
                value = nested.entry
                inner.append((each, nested))
            if value is not None:
                item.add((each.attributes.get("itemprop") or "").split(), value)
        return inner


def _one_line(text: str) -> str:
    """The text with every run of white space as one space, and none around it."""
    text = text.strip()
    # Of all white space, the space alone counts as printable: most words need not be taken apart.
    return text if "  " not in text and text.isprintable() else " ".join(text.split())


class _RawValues:
    """Property values of one page as text: URLs absolute, white space of text collapsed."""

    __slots__ = ("_base", "_budget", "_references")

    def __init__(self, document: Document) -> None:
        self._base = document.html_base
        self._references = References(self._base)
        self._budget = ItemBudget(document)

    def of(self, node: LexborNode, attributes: Attributes) -> str | None:
        """The value of an element; None where it has none, or the page repeats too much text."""
        if self._budget.left < 0:
            return None
        place = PLACES.get(node.tag_id)
        if place is None:
            value = attributes["content"] or "" if "content" in attributes else self._text(node)
        elif place == "value":
            value = attributes.get("value") or ""
        elif place == "datetime":
            value = attributes["datetime"] or "" if "datetime" in attributes else self._text(node)
        elif place in attributes:
            value = self.address(attributes[place] or "")
        else:
            return None
        return value if self._budget.pays(len(value)) else None

    def pays_for_an_item(self) -> bool:
        """Whether one more item may be written, wherever it has been before."""
        return self._budget.pays(_OF_AN_ITEM)

    def address(self, reference: str) -> str:
        """A reference made absolute, also where it is no IRI."""
        term = self._references.term(reference)
        return join(self._base, reference) if term is None else term[1:-1]

    def _text(self, node: LexborNode) -> str:
        """The text of an element on one line, or on several if it holds blocks or line breaks."""
        only = node.first_child
        if only is None:
            return ""
        if only.next is None and only.first_child is None:
            return _one_line(only.text_content or "")  # a comment or an empty element has none
        tags = [each.tag_id for each in node.traverse()]
        # Properties within properties are looked through again and again.
        if not self._budget.pays(_OF_A_NODE * len(tags)):
            return ""
        tags[0] = 0  # its own, which makes no lines
        if _LINED.isdisjoint(tags):
            return _one_line(node.text_lexbor())
        lined = sum(map(_LINED.__contains__, tags))
        children: list[LexborNode] = []
        child: LexborNode | None = only
        while child is not None:
            children.append(child)
            child = child.next
        text = self._flat_text(children, lined)
        if text is None:
            text = self._broken_text(children)
        return "\n".join(filter(None, map(_one_line, text.split(_BREAK))))

    @staticmethod
    def _flat_text(children: list[LexborNode], lined: int) -> str | None:
        """The text of children with a mark wherever a line ends, as a rule; None if what is within them makes lines, too."""
        tags = [child.tag_id for child in children]
        if lined != sum(map(_LINED.__contains__, tags)):
            return None
        pieces: list[str] = []
        for child, tag in zip(children, tags, strict=True):
            if tag in _BLOCKS:
                pieces += (_BREAK, child.text_lexbor(), _BREAK)
            elif tag == _BR:
                pieces.append(_BREAK)
            elif tag not in _UNSEEN:
                pieces.append(child.text_lexbor())
        return "".join(pieces)

    def _broken_text(self, children: list[LexborNode]) -> str:
        """The text of an element with a mark wherever a line ends."""
        pieces: list[str] = []
        waiting: list[LexborNode | None] = [*reversed(children)]
        visited = 0
        while waiting:
            each = waiting.pop()
            tag = _BR if each is None else each.tag_id
            if each is None or tag == _BR:
                pieces.append(_BREAK)
            elif tag in _UNSEEN:
                continue
            elif each.first_child is None:
                text = each.text_lexbor()
                pieces.append(f"{_BREAK}{text}{_BREAK}" if tag in _BLOCKS else text)
            else:
                if tag in _BLOCKS:
                    pieces.append(_BREAK)
                    waiting.append(None)
                waiting += [*each.iter(include_text=True)][::-1]
            visited += 1
        self._budget.pays(_OF_A_NODE * visited)
        return "".join(pieces)
