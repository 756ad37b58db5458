"""Sending: the one way out. Nothing is sent to a crawled host but through here.

`politeness/` says when a host may be asked, `fetch/` moves bytes; this package waits in between. The life
of one right to send (`right.Right`), whoever wants it:

    host      is the host ours to send to?               one protocol: `hosts.HostSource`
      │       always, where we own all there are         `hosts.alone.OwnHosts`
      │       by lease or reservation: a crawl, a node   `hosts.leased.Holdings`
      │       for a while after each request: a proxy    `hosts.kept.Keeper`
      ▼
    rules     `robots_rules.RobotsRules`: robots.txt of the origin, if it is fresh; else it is asked for, through
      │       the host's line like any request, once however many wait; the question goes on
      │       when whoever wanted to know has left
      ▼
    line      `line.HostLines`: a slot in the host's line, fair among clients, no longer than the patience
      │       of whoever waits; within `line.SharedLimits`, for all nodes of a crawl
      │       with `common_limits`
      ▼
    send      `fetch/` for our own requests; the proxy or a program outside for theirs
      │
      ▼
    report    `Right.finish(report)`   it went like this: the clock counts from its end
              `Right.abandon(why)`     it may have been sent: over at its latest possible end
              `Right.unused()`         it was certainly not sent: it costs the host nothing
              each right is ended once, and logs that itself

`rights.Rights` is the only way to a right, and does these steps in this order:

                take_at_once: the host is ours, the rules are known, nobody waits, the clock allows it
        ┌──────────────────────────────────────────────────────┐
        │                                                      ▼      finish, abandon, unused
    wanted ──acquire, rules, reserve──▶ in line ──the clock──▶ out ──────────────────────────▶ over
        │                                  │                   │
        │                                  │                   ├─▶ lent, and nobody reports: over at its deadline
        │                                  │                   └─▶ the folder goes to others: `hand_over`
        │                                  └─▶ patience is over, or the host is lost: `NotNow`
        └─▶ robots.txt forbids it, or longer than our patience: `NotNow`

A host rests from the end of a request: for its delay, for as long as the answer took, or for longer
where it failed or asked for it. docs/decisions/0055 says what a right costs, and why.

Who stands here, each a `right.WayIn`:

- `client.PoliteClient`: our own requests, for pages, robots.txt, sitemaps and contexts
- `lent.LentRights`: rights lent to programs outside and to other processes, until a report or a deadline;
  on disk before anybody hears of them
- `proxy.permits.OwnRights`: rights for requests through the proxy, where the folder is its own

`check` and `explain` say whether a URL may be fetched now, and why (not); they may ask for robots.txt, never
for the page, and reserve nothing.
"""
