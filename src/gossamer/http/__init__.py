"""HTTP/1.1 as our servers speak it: connections of clients within bounds, and ASGI over them.

- `listening`: the address, the names a server is asked by, the socket, and the loop that accepts clients
- `connection`: one client's connection: heads read strictly and in time, idle ones closed, lingering close
- `stream`: bytes in and out with back-pressure, and bodies read from them
- `wire/`: heads, fields and framing on bytes, read strictly and written. Pure
- `asgi`: an app at such a connection, for the service; the proxy has its own
- `throttle`: complaints that come too often are counted instead of logged
"""
