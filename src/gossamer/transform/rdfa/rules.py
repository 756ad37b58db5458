"""The processing rules of RDFa Core 1.1, section 7.5, with the additions of host languages.

Elements come in document order, each after those around it that matter, and find the scope that
its element hands on. Nothing recurses, since the depth of a page is its author's choice. Steps
are numbered as in the recommendation.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from gossamer.transform.document import Document, Item
from gossamer.transform.rdfa.context import XHV
from gossamer.transform.rdfa.host import Host
from gossamer.transform.rdfa.lists import Lists
from gossamer.transform.rdfa.literals import Literals
from gossamer.transform.rdfa.names import Names
from gossamer.transform.rdfa.roles import Links, Roles, object_of, with_link, without_link
from gossamer.transform.rdfa.scope import PageNames, Scope, Waiting, names_within
from gossamer.transform.rdfa.tree import DECLARING, LINKS, AnyElement
from gossamer.transform.terms import A, Term, known, triple

# Attributes that change what names mean within, and those that change the language.
_NAMING: Final = frozenset((DECLARING, "prefix", "vocab", "xml:base"))
_SCOPING: Final = _NAMING | {"lang", "xml:lang"}
# The commonest elements by far: they say one literal of whatever is spoken of.
_PROPERTY: Final = frozenset(("property",))
_ROLE: Final = known(f"{XHV}role")
# Links to what a page looks like, which are in nobody's mind when a vocabulary is set.
_IMPLIED: Final = frozenset(
    (
        *("apple-touch-icon", "apple-touch-icon-precomposed", "icon", "mask-icon"),
        *("shortcut", "stylesheet"),
    )
)


class Rules:
    """The processing of one page."""

    def __init__(
        self,
        document: Document,
        page: PageNames,
        names: Names,
        out: list[Item],
        *,
        inlist: bool = True,
    ) -> None:
        self._page = page
        self._host = page.host
        self._names = names
        self._literals = Literals(page.host, names.reports, len(document.body))
        # What one attribute, or one pair of elements, says too often is never made at all.
        self._completions_left = document.options.max_quads
        self._most_bytes = document.options.max_nquads_bytes
        self._out = out
        self._blanks = names.blanks
        self._max_depth = document.options.max_depth
        self._implied_links = document.options.implied_links
        self._inlist = inlist  # whether the page may have lists at all
        lists = Lists(page.term)
        self._open: list[tuple[AnyElement | None, Lists]] = [(None, lists)] if inlist else []
        whole = Scope(page.term, page.term, names, lists)
        self._within: dict[AnyElement | None, Scope] = {None: whole}

    def statements(self, elements: Iterable[AnyElement]) -> Iterator[Item]:
        """The statements of the elements as they are found; lists when their element ends."""
        out, within = self._out, self._within
        for element in elements:
            if element.depth > self._max_depth:
                self._names.reports.too_deep(self._max_depth)
                continue
            if self._open:
                self._close_before(element)
            within[element] = self._element(element, within[element.parent])
            yield from out
            out.clear()
        while self._open:
            self._close()
        yield from out
        out.clear()

    def _close_before(self, element: AnyElement) -> None:
        """Step 14 for all elements that ended before this one began."""
        around: AnyElement | None = element
        while self._open:
            owner = self._open[-1][0]
            depth = owner.depth if owner else 0
            while around is not None and around.depth > depth:
                around = around.parent
            if around is owner:
                return
            self._close()

    def _close(self) -> None:
        _, lists = self._open.pop()
        self._out += lists.statements(self._blanks)

    def _element(self, element: AnyElement, scope: Scope) -> Scope:
        """Appends what one element says, and returns the scope of those within."""
        carried = element.carried
        if carried == _PROPERTY:
            self._say_literal(element, scope)
            return scope.speaking
        if not carried.isdisjoint(_SCOPING):
            scope = self._scope_on(element, scope)
        if carried.isdisjoint(LINKS):
            links = None
            roles = without_link(element, scope, self._host)
        else:
            links = self._links(element.attributes, scope.names)
            roles = (with_link if links else without_link)(element, scope, self._host)
        if roles.typed is not None:
            for class_ in scope.names.classes(element.attributes["typeof"]):
                self._say(roles.typed, A, class_)
        if "role" in carried:
            self._say_role(element.attributes, scope.names)
        return scope if roles.skip else self._say_all(element, scope, roles, links)

    def _scope_on(self, element: AnyElement, scope: Scope) -> Scope:
        """Steps 2 to 4: names and language on the element and within."""
        names = scope.names
        if not element.carried.isdisjoint(_NAMING):
            names = names_within(element, names, self._page, self._out)
        return scope.passed_on(names, _language(element.attributes, self._host, scope.language))

    def _say_all(
        self, element: AnyElement, scope: Scope, roles: Roles, links: Links | None
    ) -> Scope:
        """Steps 8 to 13."""
        lists = scope.lists
        if self._inlist:
            lists = self._lists_of(roles.subject, lists, element)
        waiting: tuple[Waiting, ...] = ()
        if links is not None:
            waiting = self._say_links(element, roles, lists, links)
        if "property" in element.carried:
            self._say_properties(element, scope, roles, lists, linked=links is not None)
        self._complete_all(scope, roles.subject)
        object_ = roles.object or roles.subject
        if self._inlist:
            lists = self._lists_of(object_, lists, element)
        return scope.within(roles.subject, object_, lists, waiting)

    def _lists_of(self, subject: Term, around: Lists, element: AnyElement) -> Lists:
        """The open lists of a subject: those around if they are its own, or new ones."""
        if around.subject == subject:
            return around
        lists = Lists(subject)
        self._open.append((element, lists))
        return lists

    def _say_literal(self, element: AnyElement, scope: Scope) -> None:
        """Step 11 where nothing else is to be thought of."""
        predicates = scope.names.predicates(element.attributes["property"])
        if predicates:
            value = self._literals.of(element, scope.names, scope.language)
            for predicate in self._affordable(predicates, value):
                self._out.append(triple(scope.object, predicate, value))
        self._complete_all(scope, scope.object)

    def _affordable(self, predicates: tuple[Term, ...], value: Term) -> tuple[Term, ...]:
        """As many of the predicates as a page may give a value of this length."""
        most = self._most_bytes // len(value)
        return predicates if len(predicates) <= most else predicates[: most + 1]

    def _say_links(
        self, element: AnyElement, roles: Roles, lists: Lists, links: Links
    ) -> tuple[Waiting, ...]:
        """Steps 9 and 10: links are said, or wait for their object."""
        inlist = "inlist" in element.carried
        if roles.object is not None and not inlist:
            for predicate in links.rel:
                self._say(roles.subject, predicate, roles.object)
            for predicate in links.rev:
                self._say(roles.object, predicate, roles.subject)
            return ()
        found = [Waiting(each, members=lists.of(each) if inlist else None) for each in links.rel]
        found += [Waiting(each, reverse=True) for each in links.rev]
        if not found:
            return ()
        if roles.object is None:
            roles.object = self._blanks.fresh()
            return tuple(found)
        for each in found:
            self._complete(each, roles.subject, roles.object)
        return ()

    def _say_properties(
        self, element: AnyElement, scope: Scope, roles: Roles, lists: Lists, *, linked: bool
    ) -> None:
        """Step 11."""
        predicates = scope.names.predicates(element.attributes["property"])
        if not predicates:
            return
        value = None if linked else _resource_value(element, scope.names, roles, self._host)
        if value is None:
            value = self._literals.of(element, scope.names, scope.language)
        for predicate in self._affordable(predicates, value):
            if "inlist" in element.carried:
                lists.of(predicate).append(value)
            else:
                self._say(roles.subject, predicate, value)

    def _say_role(self, attributes: Mapping[str, str], names: Names) -> None:
        """The role attribute speaks of the element itself."""
        id_ = attributes.get("id")
        subject = names.reference(f"#{id_}") if id_ else self._blanks.fresh()
        if subject is not None:
            for role in names.roles(attributes["role"]):
                self._say(subject, _ROLE, role)

    def _complete_all(self, scope: Scope, object_: Term) -> None:
        if not scope.waiting:
            return
        if self._completions_left < len(scope.waiting):
            self._names.reports.too_many_links()
            return
        self._completions_left -= len(scope.waiting)
        for each in scope.waiting:
            self._complete(each, scope.subject, object_)

    def _complete(self, link: Waiting, subject: Term, object_: Term) -> None:
        """Step 12: a link that waited is said, or its object joins a list."""
        if link.members is not None:
            link.members.append(object_)
        elif link.reverse:
            self._say(object_, link.predicate, subject)
        else:
            self._say(subject, link.predicate, object_)

    def _say(self, subject: Term, predicate: Term, object_: Term) -> None:
        self._out.append(triple(subject, predicate, object_))

    def _links(self, attributes: Mapping[str, str], names: Names) -> Links | None:
        """What `rel` and `rev` mean; None where they count as absent."""
        rel = self._words("rel", attributes)
        rev = self._words("rev", attributes) if "rev" in attributes else None
        if rel is None and rev is None:
            return None
        return Links(
            names.predicates(rel, report=False) if rel else (),
            names.predicates(rev, report=False) if rev else (),
        )

    def _words(self, attribute: str, attributes: Mapping[str, str]) -> str | None:
        value = attributes.get(attribute)
        if value is None:
            return None
        if self._host.plain_rel_yields and "property" in attributes:
            value = " ".join(word for word in value.split() if ":" in word)
            if not value:
                return None
        if not self._implied_links and not _IMPLIED.isdisjoint(value.lower().split()):
            value = " ".join(word for word in value.split() if word.lower() not in _IMPLIED)
        return value


def _language(attributes: Mapping[str, str], host: Host, inherited: str | None) -> str | None:
    found = attributes.get("xml:lang")
    if found is None and host.html_language:
        found = attributes.get("lang")
    return inherited if found is None else found.strip() or None


def _resource_value(element: AnyElement, names: Names, roles: Roles, host: Host) -> Term | None:
    """The value of a property that is no literal, beside neither `rel` nor `rev`."""
    attributes = element.attributes
    if "content" in attributes or "datatype" in attributes:
        return None
    if host.times and "datetime" in attributes:
        return None
    found = object_of(attributes, names)
    return roles.typed if found is None and "about" not in attributes else found
