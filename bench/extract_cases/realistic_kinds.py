"""Kinds of pages: what shops, blogs, newspapers and others put between menu and footer.

Each kind takes a source of text, the page's address and a size, and gives a whole document. The
habits are those of real pages: several syntaxes that say the same twice, undeclared prefixes,
references escaped for HTML in JSON, items outside of items, contexts written by heart.
"""

from bench.extract_cases.realistic_chrome import (
    breadcrumb,
    cards,
    footer,
    head,
    icon,
    json_ld,
    menu,
    open_graph,
    page,
    state,
)
from bench.extract_cases.realistic_text import Text

SCHEMA = "https://schema.org"


def product(text: Text, url: str, size: int) -> bytes:
    """A shop's product: JSON-LD and Open Graph, a trail in RDFa, and the state of a framework."""
    title = text.title()
    offers = [
        {
            "@type": "Offer",
            "sku": text.hexadecimal(8),
            "price": text.price(),
            "priceCurrency": "EUR",
        }
        | {"availability": "http://schema.org/InStock", "url": f"{url}?variant={number}"}
        for number in range(8)
    ]
    reviews = [
        {"@type": "Review", "reviewBody": text.prose(3).replace("e", "&#101;", 1)}
        | {"author": {"@type": "Person", "name": text.person()}, "datePublished": text.day()}
        | {"reviewRating": {"@type": "Rating", "ratingValue": str(text.number(1, 5))}}
        for _ in range(10 + size)
    ]
    thing = {
        "@context": f"{SCHEMA}/",
        "@type": "Product",
        "@id": f"{url}#product",
        "name": title.replace(" ", " &amp; ", 1),
        "description": f"<p>{text.prose(6)}</p>",
        "image": [f"https://cdn.example.test/{text.slug()}.jpg" for _ in range(6)],
        "brand": {"@type": "Brand", "name": text.title(1)},
        "gtin13": str(text.number(10**12, 10**13 - 1)),
        "offers": {"@type": "AggregateOffer", "offerCount": 8, "offers": offers},
        "aggregateRating": {"@type": "AggregateRating", "ratingValue": 4.4, "reviewCount": 31},
        "review": reviews,
    }
    metadata = open_graph(text, url, title, "product") | {
        "product:price:amount": text.price(),
        "product:price:currency": "EUR",
    }
    body = (
        '<div id="root" class="h-full p-0">'
        + menu(text)
        + breadcrumb(text, ["Home", "Shop", text.title(1), title])
        + f'<main class="grid lg:grid-cols-2"><h1 class="text-3xl h-10">{title}</h1>{icon(text)}'
        + text.paragraphs(10)
        + cards(text, 40 + 4 * size)
        + "</main>"
        + state(text, 40 * size)
        + footer(text)
    )
    return page(head(text, title, metadata, json_ld(thing)), body, body_attributes="class='h-full'")


def listing(text: Text, url: str, size: int) -> bytes:
    """A category of a shop: a list of products in microdata, with values outside of any item."""
    rows = "".join(
        f'<li class="product type-product post-{number} col-3"><div class="inner p-2" itemscope '
        f'itemprop="itemListElement" itemtype="{SCHEMA}/Product"><a itemprop="url" href="/p/{text.slug()}">'
        f'<img itemprop="image" src="/i/{text.slug()}.jpg" alt="{text.words(3)}" loading=lazy>'
        f'<h2 itemprop="name" class="h-6">{text.title()} {icon(text)}</h2></a>'
        f'<div itemprop="description">{text.paragraph()}{text.messy()}</div>'
        f'<div itemprop="offers" itemscope itemtype="{SCHEMA}/Offer"><meta itemprop="priceCurrency" '
        f'content="EUR"><span itemprop="price" content="{text.price()}">{text.price()}&euro;</span>'
        f'<link itemprop="availability" href="{SCHEMA}/InStock"></div>'
        f'<div itemprop="aggregateRating" itemscope itemtype="{SCHEMA}/AggregateRating">'
        f'<span itemprop="ratingValue">{number % 5}.5</span>/<span itemprop="reviewCount">{number}</span>'
        "</div></div>\n"
        for number in range(24 * size)
    )
    title = text.title()
    body = (
        f'<div class="site">{menu(text)}{breadcrumb(text, ["Home", title])}<main itemscope '
        f'itemtype="{SCHEMA}/ItemList"><h1 itemprop="name">{title}</h1><ul class="grid">{rows}</ul></main>'
        f'<div itemprop="publisher" itemscope itemtype="{SCHEMA}/Organization"><b itemprop="name">'
        f"{text.title(2)}</b></div>{cards(text, 12)}{footer(text)}"
    )
    metadata = open_graph(text, url, title, "website")
    more = json_ld({"@context": "http://schema.org", "@type": "CollectionPage", "name": title})
    return page(
        head(text, title, metadata, more),
        body,
        html=f'lang=de itemscope itemtype="{SCHEMA}/CollectionPage"',
    )


def recipe(text: Text, url: str, size: int) -> bytes:
    """A recipe in a blog: the graph of an SEO plug-in, a recipe plug-in, and comments."""
    title, day = text.title(), f"{text.day()}T06:30:00+00:00"
    graph = [
        {"@type": "Article", "@id": f"{url}#article", "isPartOf": {"@id": url}}
        | {"author": {"name": text.person(), "@id": "https://blog.example.test/#/schema/person/1"}}
        | {"headline": title, "datePublished": day, "mainEntityOfPage": {"@id": url}}
        | {
            "wordCount": 1834,
            "articleSection": ["Soups", "Winter &amp; More"],
            "inLanguage": "en-GB",
        },
        {"@type": ["WebPage", "FAQPage"], "@id": url, "url": url, "name": f"{title} &#8211; Blog"}
        | {
            "breadcrumb": {"@id": f"{url}#breadcrumb"},
            "primaryImageOfPage": {"@id": f"{url}#image"},
        },
        {"@type": "ImageObject", "@id": f"{url}#image", "url": "/i/soup.jpg", "width": 1200},
        {"@type": "BreadcrumbList", "@id": f"{url}#breadcrumb"}
        | {
            "itemListElement": [
                {"@type": "ListItem", "position": position, "name": name}
                for position, name in enumerate(("Home", "Soups", title), 1)
            ]
        },
        {"@type": "Person", "@id": "https://blog.example.test/#/schema/person/1"}
        | {"name": text.person(), "sameAs": ["https://social.example.test/@cook"]},
        {"@type": "Recipe", "name": f"Mac &#039;n {title}", "author": {"@id": f"{url}#author"}}
        | {"recipeIngredient": ["1 tsp salt", *(text.words(4) for _ in range(14)), "1 tsp salt"]}
        | {"prepTime": "PT15M", "cookTime": "PT1H", "recipeYield": ["4", "4 bowls"]}
        | {
            "recipeInstructions": [
                {"@type": "HowToStep", "text": text.prose(2), "url": f"{url}#step-{number}"}
                for number in range(9)
            ]
        }
        | {"nutrition": {"@type": "NutritionInformation", "calories": "320 kcal"}},
    ]
    comments = "".join(
        f'<li id="comment-{number}" class="comment depth-{number % 4 + 1} h-entry"><div class="comment-body">'
        f'<cite class="fn p-author h-card"><img class="avatar u-photo" src="/a/{number}.png" alt="">'
        f'{text.person()}</cite> <time class="dt-published" datetime="{text.day()}T10:00:00+01:00">'
        f'{text.words(2)}</time><div class="e-content p-name">{text.paragraph()}</div><a rel="nofollow" '
        f"class='comment-reply-link' href='?replytocom={number}#respond'>Reply</a></div>\n"
        for number in range(30 * size)
    )
    ingredients = "".join(
        f'<li class="wprm-ingredient p-ingredient"><input type=checkbox><span>{text.words(4)}</span>'
        for _ in range(15)
    )
    body = (
        f'<div id="page" class="hfeed site">{menu(text, 5, 5)}{breadcrumb(text, ["Home", title])}'
        f'<article id="post-7" class="post-7 post hentry category-soups"><h1 class="entry-title">{title}'
        f'</h1><span class="author vcard"><a class="url fn n" href="/author/a/">{text.person()}</a></span>'
        f'<time class="entry-date published" datetime="{day}">{day[:10]}</time><div class="entry-content">'
        f"{text.paragraphs(24)}<div class='h-recipe'><h2 class='p-name'>{title}</h2><ul>{ingredients}</ul>"
        f"</div>{cards(text, 8)}</div><a rel=tag href='/tag/soup/'>soup</a></article>"
        f"<ol class='comment-list'>{comments}</ol>{footer(text)}"
    )
    data = {"@context": SCHEMA, "@graph": graph}
    more = json_ld(data, attributes=' class="seo-graph"') + json_ld(
        {
            "@context": "http://www.schema.org/",
            "@type": "WebSite",
            "url": "https://blog.example.test/",
        }
    )
    metadata = open_graph(text, url, title, "article")
    return page(head(text, title, metadata, more), body, body_attributes='class="single h-feed"')


def news(text: Text, url: str, size: int) -> bytes:
    """A newspaper's article: JSON-LD twice, Dublin Core, RDFa with undeclared prefixes, a long state."""
    title = text.title(8)
    article = {
        "@context": "http://schema.org",
        "@type": "NewsArticle",
        "headline": title,
        "datePublished": f"{text.day()}T05:00:00Z",
        "author": [{"@type": "Person", "name": text.person()} for _ in range(2)],
        "image": {"@type": "ImageObject", "url": "https://cdn.example.test/a.jpg", "height": "630"},
        "publisher": {"@type": "NewsMediaOrganization", "name": "The Daily Example"},
        "articleBody": text.prose(60),
        "isAccessibleForFree": "False",
        "hasPart": {"@type": "WebPageElement", "isAccessibleForFree": False, "cssSelector": ".pay"},
    }
    video = {"@context": "https://schema.org/VideoObject", "@type": "VideoObject", "name": title}
    metadata = open_graph(text, url, title, "article") | {
        "DC.title": title,
        "DC.creator": text.person(),
        "dcterms.issued": text.day(),
        "parsely-title": title,
        "news_keywords": ", ".join(text.words(6).split()),
    }
    parts = "".join(
        f'<section class="p-4"><h2>{text.title()}</h2>{text.paragraphs(3)}<figure property="schema:image" '
        f'typeof="schema:ImageObject"><img property="schema:contentUrl" src="/i/{number}.jpg" alt="">'
        f'<figcaption property="schema:caption">{text.messy()}</figcaption></figure></section>'
        for number in range(6 * size)
    )
    body = (
        f'<div class="min-h-screen h-full">{menu(text, 10, 6)}<article typeof="sioc:Item foaf:Document" '
        f'about="{url}" class="h-entry"><h1 property="dc:title" class="p-name">{title}</h1>'
        f'<a rel="author" class="p-author h-card" href="/by/1">{text.person()}</a>'
        f'<div property="content:encoded" class="e-content">{parts}</div></article>'
        f"{cards(text, 50)}{state(text, 60 * size, '__NEXT_DATA__')}{footer(text)}"
    )
    more = json_ld(article, indent=2) + json_ld(video)
    return page(
        head(text, title, metadata, more), body, html='lang="en" prefix="og: http://ogp.me/ns#"'
    )


def events(text: Text, url: str, size: int) -> bytes:
    """A venue's calendar: a block of JSON-LD an event, the same events in microdata, and h-event."""
    blocks, rows = [], []
    for number in range(12 * size):
        name, day = text.title(), f"{text.day()}T20:00"
        place = {"@type": "MusicVenue", "name": text.title(2), "address": text.words(5)}
        blocks.append(
            json_ld(
                [
                    {"@context": "http://schema.org", "@type": "MusicEvent", "name": name}
                    | {"startDate": day, "location": place, "url": f"/event/{number}"}
                    | {"performer": [{"@type": "MusicGroup", "name": text.title(2)}]}
                    | {"offers": {"@type": "Offer", "price": text.price(), "priceCurrency": "GBP"}}
                ],
                attributes=" data-event=1",
                indent=1,
            )
        )
        rows.append(
            f'<div class="event-row h-event p-4" itemscope itemtype="http://schema.org/MusicEvent"><a '
            f'class="u-url p-name" itemprop="url" href="/event/{number}"><span itemprop="name">{name}</span>'
            f'</a><time class="dt-start" itemprop="startDate" datetime="{day}">{day}</time><div '
            f'itemprop="location" itemscope itemtype="http://schema.org/Place"><span class="p-location" '
            f'itemprop="name">{text.title(2)}</span></div>{text.paragraph()}{icon(text)}</div>\n'
        )
    title = text.title()
    body = f"<div>{menu(text, 4, 4)}<main>{''.join(blocks)}{''.join(rows)}</main>{footer(text)}"
    return page(head(text, title, open_graph(text, url, title, "website")), body)


def discussion(text: Text, url: str, size: int) -> bytes:
    """A thread of a forum: answers in microdata, some deep inside of others, with quotes and code."""
    answers = "".join(
        f'<div itemprop="{"acceptedAnswer" if not number else "suggestedAnswer"}" itemscope '
        f'itemtype="{SCHEMA}/Answer" id="a{number}"><span itemprop="upvoteCount">{number}</span><div '
        f'itemprop="text">{text.paragraphs(2)}<blockquote><blockquote>{text.messy()}</blockquote>'
        f"<pre><code>if a &lt b && c > 0: # {text.words(5)}</code></pre></blockquote></div>"
        f'<div itemprop="author" itemscope itemtype="{SCHEMA}/Person"><a itemprop="url" href="/u/{number}">'
        f'<span itemprop="name">{text.person()}</span></a></div><time itemprop="dateCreated" '
        f'datetime="{text.day()}T11:12:13Z"></time></div>\n'
        for number in range(16 * size)
    )
    title = text.title(6)
    body = (
        f'<div>{menu(text, 3, 5)}<main itemscope itemtype="{SCHEMA}/QAPage"><div itemprop="mainEntity" '
        f'itemscope itemtype="{SCHEMA}/Question"><h1 itemprop="name">{title}</h1><div itemprop="text">'
        f"{text.paragraphs(3)}</div>{answers}</div></main>{cards(text, 10)}{footer(text)}"
    )
    return page(head(text, title, open_graph(text, url, title, "website")), body)


def scholarly(text: Text, url: str, size: int) -> bytes:
    """A library's record: Dublin Core, RDFa with declared prefixes, and references in RDFa."""
    title = text.title(9)
    metadata = {
        "DC.Title": title,
        "DC.Creator": text.person(),
        "DC.Date": text.day(),
        "DC.Identifier": "doi:10.1234/abc.5678",
        "DCTERMS.abstract": text.prose(8),
        "citation_title": title,
        "citation_doi": "10.1234/abc.5678",
        "description": text.prose(2),
    }
    references = "".join(
        f'<li rel="bibo:cites" resource="/item/{number}"><span about="/item/{number}" typeof="bibo:Article">'
        f'<cite property="dc:title">{text.title(7)}</cite> <span property="dc:creator">{text.person()}</span>'
        f' <span property="dc:date" datatype="xsd:date" content="{text.day()}">n.d.</span> {text.messy()}'
        "</span>\n"
        for number in range(40 * size)
    )
    body = (
        f'<div about="{url}" typeof="bibo:AcademicArticle">{menu(text, 2, 6)}<h1 property="dc:title">{title}'
        f'</h1><div property="dc:abstract" lang="en">{text.paragraphs(4)}</div><ol>{references}</ol>'
        f"{footer(text)}"
    )
    prefixes = (
        'prefix="dc: http://purl.org/dc/terms/ bibo: http://purl.org/ontology/bibo/ '
        'xsd: http://www.w3.org/2001/XMLSchema#" lang=en'
    )
    return page(head(text, title, metadata), body, html=prefixes)


def homepage(text: Text, url: str, size: int) -> bytes:
    """A person's own site: microformats in posts, replies and likes, and little else."""
    posts = "".join(
        f'<article class="h-entry"><a class="u-url" href="/{text.day()}/{number}"><time class="dt-published" '
        f'datetime="{text.day()}T12:00:00+02:00">{text.day()}</time></a><div class="e-content p-name">'
        f'{text.paragraph()}</div><div class="u-in-reply-to h-cite"><a class="p-name u-url" '
        f'href="https://other.example.test/{number}">{text.title()}</a></div>'
        f'<a class="p-category" rel="tag" href="/search?tag={text.words(1)}">tag</a></article>\n'
        for number in range(20 * size)
    )
    owner = (
        f'<div class="h-card"><img class="u-photo" src="/me.jpg" alt=""><a class="p-name u-url u-uid" '
        f'rel="me" href="{url}">{text.person()}</a><p class="p-note">{text.prose(2)}</p></div>'
    )
    body = f'<div class="h-feed">{owner}{posts}{footer(text)}'
    return page(head(text, text.title(), {"description": text.prose(1)}), body)
