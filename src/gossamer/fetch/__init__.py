"""Requests to the web: a thin client, and the rules it follows, which are pure.

The way of one request, from a URL to a value:

- `http`: the client: one URL in, `Fetched` or `Failed` out
- `agent`: what every request says about us
- `route`: where the connection goes; `connect_to`: the hosts that the user sends elsewhere
- `resolve`, `names`: names to addresses; `guard`: the addresses that may be contacted at all
- `handle`: one curl handle; `trust`: the authorities that vouch for a server
- `undelivered`: requests that are given up before they are delivered
- `transfer`: one answer as it arrives; `transfers`: all of them on the event loop
- `decode`, `zstd`: the body that was meant
- `webhook`: posts to an address that the user named; shares the guard with the others, and nothing else
- `response`: what a head says: redirects, and validators for the next visit
"""
