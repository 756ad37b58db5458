"""Addresses that a page's search and filter forms lead to: GET forms made of choices alone. Pure.

A form that could change anything, or that wants something of a person, is left alone: other methods, fields for
text, files, passwords or tokens, and whatever speaks of deleting, logging out, unsubscribing, carts, orders or payment.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple
from urllib.parse import urlencode

from selectolax.lexbor import LexborNode

from gossamer.extract.base import Base
from gossamer.model import Refusal, Url
from gossamer.transform.document import Document
from gossamer.urls import canonical, host_of, site_of

MOST_FORMS: Final = 20  # of a page
MOST: Final = 500  # addresses of a page
_MOST_FIELDS: Final = 40  # of a form
_MOST_CHOICES: Final = 200  # of a field
_LONGEST_VALUE: Final = 100  # characters
_LONGEST_HIDDEN: Final = 24
_FIELDS: Final = "input,select,textarea,button,object,keygen"
_SPEAKING: Final = "button,input,legend,label,h1,h2,h3,h4"
_SAYING: Final = ("action", "id", "name", "class", "title", "aria-label", "onsubmit")
_BUTTONS: Final = frozenset(("submit", "button", "image", "reset"))
_TOKEN: Final = re.compile(
    r"token|csrf|xsrf|nonce|auth(?!or)|session|\bsid$|secret|captcha|api_?key|signature",
    re.IGNORECASE,
)
_NOISE: Final = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w+/=-]{16,}")
# Beginnings of words, in the languages of most shops and accounts.
_HARMFUL: Final = re.compile(
    r"delet|remov|eras|destroy|log[\s_-]?out|log[\s_-]?off|sign[\s_-]?out|unsubscri|cart\b|basket|checkout|"
    r"check[\s_-]out|\bbuy|purchas|\bpay|payment|\border(?!\s*by|by|ing|ed\b|\s*=)|subscrib|vote|\bbid\b|donat|"
    r"lösch|loesch|entfern|abmeld|warenkorb|bestell|kasse\b|\bkauf|bezahl|kündig|"
    r"supprim|déconn|deconn|désabonn|desabonn|panier|command[eéao]|achet|payer|"
    r"elimin|borrar|cerrar sesi|desuscri|carrito|pedido|compr(?:ar|a\b)|pagar|"
    r"cancell|esci\b|disiscri|carrello|ordin[ea]\b|acquist|paga\b|"
    r"exclu(?:ir|a)|sair\b|carrinho|encomend|"
    r"verwijder|uitlog|afmeld|winkelwagen|bestel|\bkoop\b|betaal|"
    r"usu[nń]|wylogu|koszyk|zam[oó]wien|\bkup\b|"
    r"radera|logga ut|varukorg|beställ|\bköp\b|\bslet\b|log ud|indkøbskurv|handlekurv|"
    r"poista|kirjaudu ulos|ostoskori|smazat|odhlásit|košík|"
    r"удал|выйти|выход|отпис|корзин|заказ|купить|оплат|видал|кошик|"
    r"\bsil\b|çıkış|sepet|sipariş|satın|"
    r"削除|ログアウト|カート|注文|購入|退会|删除|刪除|登出|退出|购物车|購物車|订单|訂單|购买|支付|삭제|로그아웃|장바구니|주문|구매|"
    r"حذف|خروج|سلة|شراء|طلب",
    re.IGNORECASE,
)


class FormChoice(NamedTuple):
    """A field of a form, and the values that it can have; None: it is not sent."""

    name: str
    values: Sequence[str | None]  # the one that is chosen first


def form_links(document: Document, most: int) -> list[Url]:
    """The addresses that a page's forms lead to, so many of each form, each once."""
    page = canonical(document.html_base)
    if isinstance(page, Refusal):
        return []
    site, joined = site_of(host_of(page)), Base(page).joined
    found: dict[Url, None] = {}
    joined_by_name = {node.attributes.get("form") for node in document.html.css("[form]")}
    for form in document.html.css("form")[:MOST_FORMS]:
        attributes = form.attributes
        if (attributes.get("id") or "") in joined_by_name:  # fields elsewhere belong to it
            continue
        action = (attributes.get("action") or "").strip() or document.url
        target = joined(action)
        if isinstance(target, Refusal) or site_of(host_of(target)) != site:
            continue
        choices = choices_of(form)
        if choices is None:
            continue
        bare = target.partition("?")[0]
        for pairs in combinations(choices, most):
            if len(found) >= MOST:
                return [*found]
            url = canonical(f"{bare}?{urlencode(pairs)}")
            if not isinstance(url, Refusal):
                found[url] = None
    return [*found]


def choices_of(form: LexborNode) -> list[FormChoice] | None:
    """The fields of a form that is made of choices alone; None where it is to be left alone."""
    attributes = form.attributes
    if (attributes.get("method") or "get").strip().lower() != "get" or _HARMFUL.search(_said(form)):
        return None
    fields: dict[str, FormChoice] = {}
    for node in form.css(_FIELDS)[: _MOST_FIELDS + 1]:
        if not _takes(node, fields):
            return None
    if len(fields) > _MOST_FIELDS or not any(len(each.values) > 1 for each in fields.values()):
        return None
    return [*fields.values()]


def combinations(choices: Sequence[FormChoice], most: int) -> Iterator[list[tuple[str, str]]]:
    """So many ways to fill a form: as it stands, then with one choice changed, then with several."""
    first = [each.values[0] for each in choices]
    given = 0
    seen: set[tuple[str | None, ...]] = set()
    for values in _ways(choices, first):
        if given >= most:
            return
        if (key := tuple(values)) not in seen:
            seen.add(key)
            given += 1
            pairs = zip(choices, values, strict=True)
            yield [(choice.name, value) for choice, value in pairs if value is not None]


def _ways(
    choices: Sequence[FormChoice], first: Sequence[str | None]
) -> Iterator[Sequence[str | None]]:
    yield first
    for at, choice in enumerate(choices):
        for value in choice.values[1:]:
            yield [*first[:at], value, *first[at + 1 :]]
    yield from product(*(each.values for each in choices))


def _said(form: LexborNode) -> str:
    """What a form says of itself: its names, its buttons and its labels, but for its options."""
    own = [form.attributes.get(name) or "" for name in _SAYING]
    for node in form.css(_SPEAKING):
        attributes = node.attributes
        own += [attributes.get(name) or "" for name in ("name", "value", "alt", *_SAYING)]
        own.append(node.text(deep=True, separator=" "))
    return " ".join(own)


def _takes(node: LexborNode, fields: dict[str, FormChoice]) -> bool:
    """Take a field of a form up; whether the form may have it."""
    attributes = node.attributes
    name = (attributes.get("name") or "").strip()
    tag, kind = node.tag, (attributes.get("type") or "").strip().lower()
    if tag == "button" or (tag == "input" and kind in _BUTTONS):
        return not attributes.get("formaction") and not attributes.get("formmethod")
    if tag == "select":
        return _take(fields, name, _options(node), attributes)
    if tag != "input" or kind not in ("radio", "checkbox", "hidden"):
        return False
    value = attributes.get("value")
    value = "on" if value is None else value
    if kind == "hidden":
        if _TOKEN.search(name) or len(value) > _LONGEST_HIDDEN or _NOISE.fullmatch(value):
            return False
        return _take(fields, name, [value], attributes)
    known = fields.get(name)
    if kind == "checkbox":
        values: list[str | None] = [value, None] if "checked" in attributes else [None, value]
        return _take(fields, name, values if known is None else [value], attributes)
    values = [*(known.values if known else ())]
    values = [value, *values] if "checked" in attributes else [*values, value]
    fields.pop(name, None)
    return _take(fields, name, values, attributes)


def _options(select: LexborNode) -> list[str | None]:
    """The values of a select, the chosen one first."""
    found: dict[str | None, bool] = {}
    for option in select.css("option")[:_MOST_CHOICES]:
        attributes = option.attributes
        if "disabled" not in attributes:
            value = attributes.get("value")
            value = " ".join(option.text(deep=True).split()) if value is None else value
            found[value] = found.get(value, False) or "selected" in attributes
    return sorted(found, key=lambda value: not found[value])


def _take(
    fields: dict[str, FormChoice],
    name: str,
    values: Sequence[str | None],
    attributes: Mapping[str, str | None],
) -> bool:
    if not name or "disabled" in attributes or not values:
        return True  # it is not sent
    known = fields.get(name)
    merged = dict.fromkeys((*(known.values if known else ()), *values))
    kept = [each for each in merged if each is None or len(each) <= _LONGEST_VALUE]
    if _TOKEN.search(name) or not kept:
        return False
    fields[name] = FormChoice(name, kept[:_MOST_CHOICES])
    return True
