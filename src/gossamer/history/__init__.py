"""The history: what each page said last, and what has changed since, by entity.

The life of a change, from a visit of a page to somebody who is told:

    PageVisit       what the page says from now on (`crawl.visits`), with a hash that is equal for equal
        │           statements (`transform.statement_hash`) and names our readers (`reading.readers_mark`)
        ▼
    store           the same as before: nothing. Else, in one transaction of `changes.db`:
        │
        ├─ difference      blank nodes of both states are paired (`blank_pairs`), statements that came and
        │                  went are gathered by entity, parts of an entity under paths: `offers.price`
        └─ state           the page's statements, packed, for the next visit
        │
        ▼
    finding         by time, host, type, property, page (`asking`), the latest first
        │
        ▼
    telling         before and after, side by side

    undelivered     changes after a mark in `changes.db`, in the order in which they were found, as posts
        │
        ▼
    posting         a thread posts them to `changes.webhook` (`fetch.webhook`); what has arrived moves the mark

A crawl writes here after the graph and before it settles (`crawl.batches`). So whoever is killed in between
fetches the page again, and finds no difference to what is here already.

- `database`: the tables; `visit`, `asking`: values
"""
