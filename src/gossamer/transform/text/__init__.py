"""The words that people read on a page, for search: what is kept of them, and how they are found.

- `page_text`: the value: title, headings, main part, rest and language; packed to be kept
- `html`: out of the tree of an HTML page, without its navigation and boilerplate
- `languages`: which language a text is in, where the page does not say
"""
