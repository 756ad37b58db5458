"""`/login` and `/logout`: exchange the token for a session cookie, and end the session."""

from dataclasses import dataclass
from typing import Final

from starlette.responses import RedirectResponse, Response

from gossamer.service.answers import while_there
from gossamer.service.errors import ProblemError
from gossamer.service.guard import is_token
from gossamer.service.routes import FORM, Body, Call, Parameter, Reply, Route, fields_of
from gossamer.service.schemas import TEXT, text
from gossamer.service.tokens import LASTS_SECONDS, cookie_name, is_same_origin, way_back
from gossamer.web.rendering import PAGE_REPLY, page_answer

MOST_OF_A_PATH: Final = 10_000
MOST_FORM_BYTES: Final = 64 * 1024  # a token and a path; anybody may send one


@dataclass(frozen=True, slots=True)
class LoginPage:
    """The contents of the login page."""

    next: str
    has_token: bool  # else nobody can log in
    is_known: bool  # has logged in already
    is_wrong: bool = False  # what was sent is not the token


async def form(call: Call) -> Response:
    """Serve the login form, or the way to log out."""
    return page_answer(call, "login.html", _page(call, call.given["next"]), headers=_NOT_KEPT)


async def login(call: Call) -> Response:
    """Start a session for a client that sends the right token."""
    fields = fields_of(call)
    if call.parts.service.token is None:
        return page_answer(call, "login.html", _page(call, fields.get("next")), status=403)
    client, given = call.request.client, fields.get("token", "")
    address, guesses = client.host if client else "", call.parts.in_force.guesses
    await while_there(call.request, guesses.turn(address))
    if not is_token(call.parts.service, given):
        guesses.wrong(address, given)
        if refusal := guesses.refusal(address):
            raise refusal
        wrong = _page(call, fields.get("next"), is_wrong=True)
        return page_answer(call, "login.html", wrong, status=401, headers=_NOT_KEPT)
    response = RedirectResponse(way_back(fields.get("next")), 303)
    response.set_cookie(
        cookie_name(call.request.headers),
        call.parts.in_force.sessions.begin(),
        max_age=LASTS_SECONDS,
        httponly=True,
        samesite="strict",
        secure=_is_encrypted(call),
    )
    return response


async def logout(call: Call) -> Response:
    """End the session."""
    if not is_same_origin(call.request.headers):
        raise ProblemError(403, "other-origin", "Only a page of ours can log you out.")
    call.parts.in_force.sessions.end(call.request.headers)
    response = RedirectResponse(way_back(fields_of(call).get("next")), 303)
    response.delete_cookie(cookie_name(call.request.headers), httponly=True, samesite="strict")
    return response


_NOT_KEPT: Final = {"Cache-Control": "no-store"}


def _page(call: Call, back: str | None, *, is_wrong: bool = False) -> LoginPage:
    return LoginPage(
        next=way_back(back),
        has_token=call.parts.service.token is not None,
        is_known=call.may_change,
        is_wrong=is_wrong,
    )


def _is_encrypted(call: Call) -> bool:
    """Whether the browser came by TLS, to us or to the server in front of us."""
    origin = call.request.headers.get("origin", "")
    return call.request.url.scheme == "https" or origin.startswith("https:")


_FORM: Final = Body(
    doc="The form.", schemas={FORM: TEXT}, required=False, most_bytes=MOST_FORM_BYTES
)
_BACK: Final = {303: Reply(doc="On to where one wanted to go.")}

ROUTES: Final = (
    Route(
        path="/login",
        summary="Log in with the token",
        handler=form,
        parameters=(
            Parameter(name="next", doc="The path to go on to.", schema=text(most=MOST_OF_A_PATH)),
        ),
        replies=PAGE_REPLY,
        is_open=True,
        is_page=True,
    ),
    Route(
        path="/login",
        method="POST",
        summary="Log in",
        handler=login,
        body=_FORM,
        replies=_BACK,
        is_open=True,
        is_page=True,
    ),
    Route(
        path="/logout",
        method="POST",
        summary="Log out",
        handler=logout,
        body=_FORM,
        replies=_BACK,
        is_open=True,
        is_page=True,
    ),
)
