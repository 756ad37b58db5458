"""`/health`: whether whoever answers for the folder answers."""

from starlette.responses import JSONResponse, Response

from gossamer import __version__
from gossamer.owner.messages import Question, record_of
from gossamer.service.routes import Call, Route, json_reply
from gossamer.service.schemas import FLAG, NUMBER, TEXT, WHOLE, listed, one_of, record


async def health(call: Call) -> Response:
    """Ask a cheap question. What is degraded mends itself or says how, so the answer is still 200."""
    told = await record_of(call.parts.answering.answer(Question(what="health")))
    status = "degraded" if told["troubles"] else "ok"
    who = {"status": status, "version": __version__, "owner": told["command"]}
    return JSONResponse({**who, "troubles": told["troubles"], "behind": told["behind"]})


ROUTES = (
    Route(
        path="/health",
        summary="Whether all is well",
        handler=health,
        replies=json_reply(
            "It is (`ok`); or parts of it are stuck or far behind (`degraded`), and `troubles` says "
            "which. `behind` is what is still on its way, which is usual while a crawl runs.",
            record(
                {
                    "status": one_of("ok", "degraded"),
                    **dict.fromkeys(("version", "owner"), TEXT),
                    "troubles": listed(TEXT),
                    "behind": record(
                        {
                            **dict.fromkeys(("pages", "files", "bytes", "things"), WHOLE),
                            "seconds": NUMBER,
                            "in_step": FLAG,
                        }
                    ),
                }
            ),
        ),
        is_open=True,
        tag="monitoring",
    ),
)
