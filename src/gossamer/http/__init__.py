"""What every server of ours stands on: connections of clients within bounds, and ASGI over them.

- `addresses`: who is at an address
- `connections`: who is connected, bounded in all and for each address
- `connection`: one client's connection: heads read strictly and in time, idle ones ended
- `listening`: the loop around a socket, which complains of a full system now and then
- `asgi`: an app at such a connection, for the service; the proxy has its own
- `throttle`: complaints that come too often are counted instead of told
"""
