"""Processes of our own, on a socket pair each, so that killing one harms nobody.

The owner's side:

- `process`: starts one and learns of its end
- `channel`: speaks to it on the event loop, and knows when it is stuck
- `usage`: what processes take of the machine

What goes over the socket: `protocol` has the frames, `wire` the values in them.

The process's side, in this order:

- `confine`: ends with its owner, within bounds of memory and open files
- `sandbox`: reaches nothing else from then on; `landlock`: files, `seccomp`: system calls,
  `importable`: what Python itself has to read
- `time_limit`: CPU time for one call

`interpreter` sets the one that crawls. None of these knows what a process is for; the pool of readers and
the graph do.
"""
