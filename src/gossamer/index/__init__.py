"""The index: what pages say, as a graph that can be asked in SPARQL and searched by words.

The life of what one page says, from the crawl's batch to an answer:

    PageGraphs      the page's quads, and statements about its fetch
        │           (`graph.pages`, `graph.fetch_statements`)
        ▼           over a socket to the process that writes (`graph.client`, `graph.process`)
    page_diff       what the graph holds of the page, against what it is to hold: the smallest change
        │
        ▼
    journal         the subjects of which something else is said from now on, on disk first
        │           (`words.affected`, `words.journal`)
        ▼
    store           the change itself: a page is there whole or not at all, at every moment
        │
        ├──────────────────────────────┐
        ▼                              ▼
    snapshots                      following     reads the journal, some seconds behind, in a
        │    a frozen copy, made       │         process of its own (`words.process`)
        ▼    of hard links             ▼
    readers                        refreshing    one document an entity, made anew from all that
        │    a process a query,        │         a snapshot says of it (`entities`)
        ▼    which can be killed       ▼
    answer                         searching     what people type, ranked
             bytes as they come, within limits on time and rows

A page's graphs are replaced together and belong to the page alone (`graph.names`): no page says anything
in the graph of another. A page whose site forbids it now loses them; one whose visit failed keeps them.

    the graph   closed ──▶ open ──▶ closed
                            │ ▲
                            ▼ │     its process died, or its disk was full: opened anew, and the
                           lost     batch is kept again (`crawl.steady_graph.SteadyGraph`)

    the words   in step ──a page changed──▶ behind ──caught up──▶ in step
                   ▲                          │
                   └── made of the whole      └── the journal is lost, or was written for other
                       graph, from nothing ◀──    words: `gossamer reindex`, or by themselves

What words hold follows from the state of the graph, not from the order of changes. So to catch up twice,
or again after a crash, comes to the same documents.

- `opening`: the graph of a data folder, in the folder or on a server; its words, or why there are none
- `graph/`: quads in the data folder
- `server/`: the same methods over a SPARQL server of the user's own; its journal is in the crawl's database, for words on many machines
- `words/`: a full-text index of entities
- `entities/`: what all pages say of one thing, gathered under one key. Pure
"""
