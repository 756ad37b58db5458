"""Processes of our own, on a socket pair each, so that killing one harms nobody.

`process.py` starts one and learns of its end, `line.py` speaks to it on the owner's event loop,
`protocol.py` and `wire.py` are what goes over the socket. `confine.py` is what a process does to itself
first, `sandbox.py` what it may reach afterwards (`landlock.py` files, `seccomp.py` system calls).
None of these knows what a process is for; the pool of readers and the graph do.
"""
