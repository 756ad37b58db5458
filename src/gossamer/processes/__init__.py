"""Processes of our own, on a socket pair each, so that killing one harms nobody.

`process.py` starts one, `confine.py` is what it does to itself first, `protocol.py` and `wire.py`
are what goes over the socket, `watching.py` and `outcome.py` how the owner learns of its end.
None of these knows what a process is for; the transform pool and the graph do.
"""
