"""The owner of a data folder: one process has the folder, and all others ask that one.

A lock decides who owns a folder (`folder.data.DataFolder.owned`). The owner has its frontier, its clocks
and its graph open, and listens at the Unix socket `gossamer.sock` in it (`unix_socket`). The life of a question,
from a command or a REST route:

    who wants to know
        │
        ├── somebody owns the folder ──▶ Owner    the question as one frame, over the socket
        │                                   │
        │                                   ▼
        │                                serve_questions: so many at once; whoever hangs up
        │                                   │     is no longer worked for
        └── nobody does: own it, ───────────┤
            answer, let it go               ▼
                                         Answers  to the handler of such questions
                                            │
                                            ▼
                                         bytes as they come, if there are any (a query, an export),
                                         and then one record, or an error with a sentence

Both ways run the same code, so the answer is the same. An owner that cannot answer something says so
(`messages.UnableError`): to add seeds needs a crawl, to lend rights an owner that sends.

Who owns a folder, over time:

    nobody ──▶ a command, for one question ──▶ nobody
    nobody ──▶ a crawl, until it ends ──▶ nobody
    nobody ──▶ a service or a proxy ──make way──▶ a crawl, until it ends ──▶ the service or proxy

`folder_keeper` answers for a service that outlives crawls: out of the folder while it is ours, by asking
the owner while it is not. Those who ask meanwhile wait for a moment and notice nothing; what changes
something is never asked twice. `on_demand` is for those who ask now and then over hours (Python, a notebook):
it owns the folder while questions come, and lets it go soon after.

- what is asked: `questions`, a frozen value a kind; who answers what: `handlers`, a typed table
- what is told: `told`, the types of the records that programs of ours read; a question names its own
- on the way: `messages` (frames), `unix_socket` (client and server)
- what every owner can answer: `folder_answers`, with `page_answers`, `words_answers`, `node_answers`, `log_answers`, `health` and, as JSON, `records`
- opened for it: `opening` (a folder that is ours), `crawl_answers` (and a crawl that runs)
- with requests of its own: `sending_answers` (check, lent rights)
- made of several questions, for whoever asks: `things`, `vocabulary`
"""
