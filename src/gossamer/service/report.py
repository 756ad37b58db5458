"""`/api/report`: the structured data of a host, or of all, as it was checked."""

from typing import Final

from starlette.responses import Response

from gossamer.owner.messages import Record, ask
from gossamer.owner.questions import ReportOn
from gossamer.service.answers import json_answer, while_there
from gossamer.service.crawls import MOST_OF_A_HOST
from gossamer.service.routes import Call, Parameter, Route, json_reply
from gossamer.service.schemas import ANYTHING, FLAG, TEXT, WHOLE, listed, or_null, record, text

HOST: Final = Parameter(name="host", doc="Only of this host.", schema=text(most=MOST_OF_A_HOST))
_FINDING: Final = record(
    {
        **dict.fromkeys(("rule", "severity", "page", "message"), TEXT),
        **dict.fromkeys(("entity", "fix", "see", "file"), or_null(TEXT)),
        "line": or_null(WHOLE),
    }
)
_COUNTS: Final = dict.fromkeys(("findings", "pages"), WHOLE)
_CAUSE: Final = record(
    {
        "cause": TEXT,
        **_COUNTS,
        **dict.fromkeys(("fix", "see"), or_null(TEXT)),
        "templates": listed(record({"template": TEXT, **_COUNTS})),
        "examples": listed(_FINDING),
    }
)
_REPORT: Final = record(
    {
        "host": or_null(TEXT),
        "hosts": listed(record({"host": TEXT, "pages": WHOLE})),
        "more_hosts": WHOLE,
        "is_cut": FLAG,
        **dict.fromkeys(("pages", "errors", "warnings", "score"), WHOLE),
        "scores": listed(
            record(
                {
                    **dict.fromkeys(("section", "meaning"), TEXT),
                    **dict.fromkeys(("score", "errors", "warnings"), WHOLE),
                    "before": or_null(WHOLE),
                }
            )
        ),
        "mends": listed(
            record(
                {
                    **dict.fromkeys(("severity", "rule", "cause"), TEXT),
                    **_COUNTS,
                    "example": _FINDING,
                }
            )
        ),
        "rules": listed(
            record(
                {
                    **dict.fromkeys(("severity", "rule", "section"), TEXT),
                    **_COUNTS,
                    "causes": listed(_CAUSE),
                }
            )
        ),
        "types": listed(
            record(
                {
                    "type": TEXT,
                    "pages": WHOLE,
                    "properties": listed(
                        record({"property": TEXT, "pages": WHOLE, "percent": WHOLE})
                    ),
                }
            )
        ),
        "runs": listed(ANYTHING),
    }
)


async def report(call: Call) -> Response:
    """The report of a host, or of all."""
    return json_answer(call.request, await find_report(call))


async def find_report(call: Call) -> Record:
    """The report that a call with our parameter asks for."""
    host = (call.given["host"] or "").strip().lower() or None
    return await while_there(call.request, ask(call.parts.answering, ReportOn(host)))


ROUTES: Final = (
    Route(
        path="/api/report",
        summary="The structured data of pages, as it was checked",
        handler=report,
        parameters=(HOST,),
        replies=json_reply("Scores, mends, findings by cause, and types in use.", _REPORT),
        tag="graph",
    ),
)
