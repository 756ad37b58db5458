"""`/api/nodes`: the nodes of the crawl, what is wrong with which, and what each holds."""

from typing import Final

from starlette.responses import Response

from gossamer.owner.messages import ask
from gossamer.owner.questions import NodeReports
from gossamer.service.answers import json_answer
from gossamer.service.routes import Call, Parameter, Route, json_reply
from gossamer.service.schemas import (
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    listed,
    or_null,
    record,
    table_of,
)

_NUMBER: Final = or_null(NUMBER)
_MOMENT: Final = or_null(TEXT)
_MEMORY: Final = record(dict.fromkeys(("used", "free", "total"), WHOLE))
_FIGURES: Final = dict.fromkeys(
    (
        *("pages_per_second", "quads_per_second", "bytes_per_second", "pages", "hosts_held"),
        *("in_flight", "waiting", "failed"),
    ),
    _NUMBER,
)
NODE: Final = record(
    {
        **dict.fromkeys(("node", "state", "heard_at", "joined_at", "started_at", "version"), TEXT),
        "silent_for": NUMBER,
        "uptime": _NUMBER,
        "left_at": _MOMENT,
        "ended": or_null(TEXT),
        "wish": or_null(TEXT),
        "troubles": listed(record(dict.fromkeys(("kind", "subject", "message", "since"), TEXT))),
        "held": record({"hosts": WHOLE, "until": _MOMENT, "names": listed(TEXT)}),
        **dict.fromkeys(("host", "machine", "system", "slowest", "service"), or_null(TEXT)),
        **dict.fromkeys(("cores", "cpu", "load", "least_free"), _NUMBER),
        **dict.fromkeys(("clock_ahead", "clock_within"), _NUMBER),
        "memory": or_null(_MEMORY),
        "disks": listed(
            record({"parts": TEXT, "free": WHOLE, "total": WHOLE, "device": or_null(WHOLE)})
        ),
        "processes": listed(
            record({"kind": TEXT, "count": WHOLE, "cpu": _NUMBER, "memory": WHOLE})
        ),
        **_FIGURES,
        "log_dropped": WHOLE,
    }
)
ALARM: Final = record(
    {
        **dict.fromkeys(("node", "kind", "subject", "message", "began_at"), TEXT),
        "ended_at": _MOMENT,
    }
)
_CHART: Final = record({"at": listed(NUMBER), "series": table_of(listed(_NUMBER))})


async def nodes(call: Call) -> Response:
    """The nodes, all together, and the newest alarms."""
    told = await ask(call.parts.answering, NodeReports(charts=call.given["charts"]))
    return json_answer(call.request, told)


ROUTES: Final = (
    Route(
        path="/api/nodes",
        summary="The nodes of the crawl",
        doc="What each node told the crawl's database last: every few seconds, while it runs. `troubles` "
        "says what is wrong with it and since when, `held` which hosts it has; `silent_for` is in "
        "seconds, `cpu` in processors, sizes in bytes. What a node did not say is null.",
        handler=nodes,
        parameters=(
            Parameter(
                name="charts",
                doc="With figures of the last day, as columns by node.",
                schema=FLAG,
                default=False,
            ),
        ),
        replies=json_reply(
            "The nodes by name, the sums over those that are heard of (`total`, where what nodes of one `machine` share counts once), and the newest alarms.",
            record(
                {
                    "at": TEXT,
                    "is_shared": FLAG,
                    "nodes": listed(NODE),
                    "total": record(
                        {
                            **dict.fromkeys(("nodes", "machines"), WHOLE),
                            "memory": _MEMORY,
                            **dict.fromkeys(("cores", "cpu", "disk_free", "held"), NUMBER),
                            **dict.fromkeys(_FIGURES, NUMBER),
                        }
                    ),
                    "alarms": listed(ALARM),
                    "charts": table_of(_CHART),
                },
                optional=("charts",),
            ),
        ),
        tag="monitoring",
    ),
)
