"""The polite forward proxy: robots.txt, delays and a cache for programs that have none of these.

A request on its way in, and its answer on the way out, with the module that knows:

    client                                                                   server
      │                                                                         ▲
      ▼                                                                         │
    connection   a head is here; `request` reads it, `access` lets it in        │
      │                                                                         │
      ▼                                                                         │
    cache        CacheAnswer: it is stored and may be used ──▶ reply            │
      │          Flight: somebody else is fetching it ──▶ wait, ask again       │
      │ Forward: it has to be fetched                                           │
      ▼                                                                         │
    permits      a right to send: the host is ours, its rules and clock allow it│
      │          Denied: 403, 429 or 503 with the reason, or something stored   │
      ▼                                                                         │
    exchange     sent over a connection that stands, or a new one (`upstream`) ─┘
      │
      ▼          the answer comes, piece by piece
    cache        Relay: passed on, and kept on the way if it may be; CacheAnswer: "not modified"
      │
      ▼
    reply        head and body to the client as it takes them; the rest waits in a `spool`
      │
      ▼
    access_log   one line an answer, whatever became of it; `Figures` has the sums

`handling.handle` is this in code. A request that waits for nothing but its server needs no task for it:
`connection` sends it at once and `fast_path.Passage` hears the answer. As people see it (`access_log.Stage`):

    reading ──▶ waiting ──▶ asking ──▶ answering ──▶ logged
       its body    its right   the server  the client
                   or flight

CONNECT (`connect`) leads to a `tunnel`, which takes one right of its host for as long as it lasts, or until
somebody waits for the host and nothing moves, and is not looked into; or, where the user wants that, to a conversation in which we are the server, with a
certificate of the local authority (`authority`, `certificates`): the same walk for each request inside.

A right to send one request (`permits.Permit`) is ended exactly once:

    asked for ──▶ given ──▶ finish(report): it went like this
        │           ├─────▶ abandon(why): it is over, and nobody knows how it would have gone on
        │           └─────▶ hand_over: the folder goes to another owner, and it must end sooner
        └──▶ Denied: robots, clock, pause, away

- `permits`: rights from whoever owns the folder. Our own come from `sending/rights.py`, and
  `sending/hosts/kept.py` keeps a host for the next request
- `lent_permits`: rights lent by the process that owns the folder, over its socket
- `handling.ProxyParts`: what all connections share; `server`: the socket; `reply.Sequences`: answers in order
- `destinations`: hosts that are allowed, denied, or go by other rules; `own_page`: what is served at our own address
- `watch`: time limits of an exchange; `refusals`: what the proxy says itself
- `cache/`: the cache by RFC 9111; start with `cache/protocol.py`
"""
