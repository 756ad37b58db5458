"""HTTP/1.1 as bytes: what is well formed, where a body ends, what goes on to the next hop. Pure.

Two programs that read the same bytes differently are how requests are smuggled. So heads are read
strictly, whatever cannot be read in one way alone is refused with a sentence, and what goes on is
written anew from what was understood.
"""
