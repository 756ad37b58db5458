"""Words: what the graph speaks of, found by what people type.

One document a thing, made anew from the graph whenever something is said otherwise. `journal.py` is
how words learn of that, `refreshing.py` what they do, `searching.py` how they are asked; all of it runs
in a process of its own (`process.py`), which `client.py` speaks to and `following.py` keeps in step.
"""
