"""Pages that say the same thing: how that is seen, who stands for them, and what follows for requests. Pure.

- `sketch`: a few numbers a page, by which pages with nearly equal text are found and compared
- `likeness`: whether two pages are the same thing, and how we know
- `group`: what kind of group pages form, and which of them stands for it
- `parameters`: parameters of URLs that change nothing, learned from pairs of pages

Where groups and rules are kept: `frontier/alike.py`, `frontier/learned_parameters.py`.
"""
