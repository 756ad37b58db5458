"""What surrounds the content of a page: head, menus, icons, scripts, comments and footers.

Most bytes of a page are of this kind, and none of them say anything, except to whoever takes
`h-4` for a microformat.
"""

import json
from collections.abc import Mapping, Sequence
from html import escape

from bench.extract_cases.realistic_text import Text

# Utility classes as a framework has them: several look like the roots and properties of microformats.
_UTILITIES = (
    *("h-4 w-4", "h-full w-full p-2", "flex items-center p-4", "grid gap-x-6 gap-y-10", "p-0 m-0"),
    *("hover:bg-gray-50 dark:bg-slate-900", "md:w-1/2 lg:w-[calc(100%-2rem)]", "h-auto max-w-none"),
    *("mt-6 h-screen e-0", "dt-4 u-full", "rounded-lg shadow-[0_1px_2px_rgba(0,0,0,.2)]", "h-px"),
)
# Boxes in boxes; at the end of the page, nobody closes them all.
_WRAPPERS = "".join(f'<div class="{each}">' for each in _UTILITIES)


def page(head: str, body: str, *, html: str = 'lang="en"', body_attributes: str = "") -> bytes:
    """A whole document, in UTF-8."""
    return (
        f"<!DOCTYPE html>\n<!--[if lt IE 9]><html class='ie'><![endif]-->\n<html {html}>\n"
        f'<head>\n<meta charset="utf-8">\n{head}</head>\n<body {body_attributes}>\n{_WRAPPERS}{body}'
        "\n</div></body>\n</html>\n<!-- rendered in 0.084 s -- served from cache -->"
    ).encode()


def head(text: Text, title: str, metadata: Mapping[str, str], more: str = "") -> str:
    """Title, meta elements, preloads, styles and the scripts of those who count visits."""
    links = "".join(
        f'<link rel="preload" as="script" crossorigin href="/_next/static/{text.hexadecimal(16)}.js">\n'
        for _ in range(14)
    )
    return (
        f"<title>{escape(title)} &#8211; {escape(text.title(2))}</title>\n"
        '<meta name=viewport content="width=device-width,initial-scale=1">\n'
        + metas(metadata)
        + links
        + f"<style>{styles(text, 60)}</style>\n"
        + analytics(text)
        + more
    )


def metas(metadata: Mapping[str, str]) -> str:
    """Meta elements; properties for what is written with a colon, names for the rest."""
    return "".join(
        f'<meta {"property" if ":" in key and key[:3] != "twi" else "name"}="{key}" '
        f'content="{escape(value)}" />\n'
        for key, value in metadata.items()
    )


def open_graph(text: Text, url: str, title: str, kind: str) -> dict[str, str]:
    """Open Graph and Twitter cards, as plug-ins write them."""
    return {
        "description": text.prose(2),
        "robots": "index, follow, max-image-preview:large",
        "og:locale": "en_GB",
        "og:type": kind,
        "og:title": title,
        "og:description": text.sentence(),
        "og:url": url,
        "og:site_name": text.title(2),
        "og:image": f"https://cdn.example.test/{text.slug()}.jpg",
        "og:image:width": "1200",
        "og:image:height": "630",
        "article:published_time": f"{text.day()}T08:00:00+00:00",
        "article:author": "https://www.facebook.com/example",
        "fb:app_id": "1234567890",
        "twitter:card": "summary_large_image",
        "twitter:site": "@example",
        "twitter:label1": "Written by",
        "twitter:data1": text.person(),
    }


def json_ld(data: object, *, attributes: str = "", indent: int | None = None) -> str:
    dumped = json.dumps(data, ensure_ascii=False, indent=indent).replace("</", "<\\/")
    return f'<script type="application/ld+json"{attributes}>{dumped}</script>\n'


def styles(text: Text, rules: int) -> str:
    return "".join(
        f".{text.slug()}-{number}>a:hover::before{{content:'\\201C';margin:{number}px 0 0;"
        f"background:url(data:image/png;base64,{text.hexadecimal(24)})}}"
        for number in range(rules)
    )


def analytics(text: Text) -> str:
    return (
        f"<script async src='https://stats.example.test/s.js?id={text.hexadecimal(8)}'></script>\n"
        "<script>window.dataLayer=window.dataLayer||[];function tag(){dataLayer.push(arguments)}"
        f"tag('js',new Date());if(1<2&&'<p itemscope>'!=null){{tag('config','{text.hexadecimal(10)}')}}"
        "</script>\n<noscript><img height=1 width=1 style='display:none' src='/pixel?a=1&b=2'></noscript>\n"
    )


def state(text: Text, entries: int, name: str = "__INITIAL_STATE__") -> str:
    """The state that a framework hands to its scripts: JSON, and by far the most of many pages."""
    records = [
        {
            "id": text.hexadecimal(12),
            "slug": text.slug(),
            "title": text.title(),
            "body": f"<p>{text.sentence()}</p>".replace("</", "<\\/"),
            "flags": {
                "promoted": bool(number % 3),
                "rank": number / 7,
                "tags": text.words(3).split(),
            },
        }
        for number in range(entries)
    ]
    return f"<script>window.{name} = {json.dumps(records)};</script>\n"


def icon(text: Text) -> str:
    path = " ".join(f"M{text.number(0, 24)} {text.number(0, 24)}l1.5-2.25z" for _ in range(6))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'class="h-5 w-5 flex-none" viewBox="0 0 24 24" aria-hidden="true"><title>{text.words(1)}</title>'
        f'<use xlink:href="#i-{text.number(1, 90)}"/><path fill-rule="evenodd" d="{path}"/></svg>'
    )


def menu(text: Text, sections: int = 8, entries: int = 9) -> str:
    """A menu that opens, with everything in it."""
    parts = []
    for number in range(sections):
        rows = "".join(
            f'<li class="p-1 h-auto"><a class="{text.chance.choice(_UTILITIES)}" '
            f'href="/c/{text.slug()}?utm_source=menu&pos={number}">{icon(text)}{text.title(2)}</a>\n'
            for _ in range(entries)
        )
        parts.append(
            f'<li class="group relative"><button type=button>{text.title(1)}</button><ul>{rows}</ul>'
        )
    return (
        f'<header class="sticky top-0 h-16"><nav aria-label="Main"><ul>{"".join(parts)}</ul></nav>\n'
        '<form role="search" action="/search"><input name=q placeholder="Search…" value=""></form></header>\n'
    )


def cards(text: Text, count: int) -> str:
    """Boxes in boxes, with utility classes and data attributes, that lead elsewhere."""
    return "".join(
        f'<div class="{text.chance.choice(_UTILITIES)}"><div class="p-4 h-full"><div><div class="flex"><div class="flex p-2" '
        f'data-track=\'{{"pos":{number},"list":"related"}}\' @click="open({number})" :class="{{on:{number}}}">'
        f'<img loading=lazy alt="" src="/i/{text.slug()}.webp" srcset="/i/a.webp 1x, /i/b.webp 2x">'
        f'<h3 class="h-8 text-sm"><a href="/{text.slug()}">{text.title()}</a></h3>'
        f"<span>{text.messy()}</span></div></div></div></div></div>\n"
        for number in range(count)
    )


def breadcrumb(text: Text, names: Sequence[str]) -> str:
    """A trail in RDFa, as plug-ins of shops and blogs write it."""
    rows = " › ".join(
        f'<span property="itemListElement" typeof="ListItem"><a property="item" typeof="WebPage" '
        f'title="Go to {escape(name)}." href="/{text.slug()}/" class="home"><span property="name">'
        f'{escape(name)}</span></a><meta property="position" content="{position}"></span>'
        for position, name in enumerate(names, 1)
    )
    return (
        '<div class="breadcrumbs" vocab="https://schema.org/" typeof="BreadcrumbList">'
        f"<!-- Breadcrumb plug-in 7.2.0 -->{rows}</div>\n"
    )


def footer(text: Text) -> str:
    links = "".join(
        f'<li><a rel="nofollow" href="/{text.slug()}">{text.title(2)}</a>' for _ in range(40)
    )
    return (
        f'<footer class="mt-24 p-6"><ul>{links}</ul><p>&copy 2024 {text.title(2)} &reg; All rights reserved'
        f"</p></footer>\n<div id=cookies hidden><p>We use cookies.<button onclick='ok()'>OK</button></div>\n"
        f"{analytics(text)}"
    )
