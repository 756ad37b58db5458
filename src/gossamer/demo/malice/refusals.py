"""Hosts that answer, but not with what was asked for: errors, "come back later", lies."""

from gossamer.demo.malice.exhibits import Exhibits, MaliceHost, landing
from gossamer.demo.resources import Broken, Busy, End, File, Resource, Sorry, Speed

ERRORS = "errors.malice.test"
BUSY = "busy.malice.test"
AWAY = "away.malice.test"
PARKED = "parked.malice.test"
SLOW = "slow.malice.test"

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000a49444154789c6360000000020001e221bc330000000049454e44ae426082"
)
_HTML = b"<!DOCTYPE html><title>Not a picture</title><p>This says it is a picture.</p>"
_BAD_ESCAPES = ("/bad%zz", "/100%", "/%", "/zero%00byte")

_ERRORS: Exhibits = {
    **{f"/status/{status}": Sorry(status) for status in (400, 401, 403, 404, 410, 500)},
    "/not-a-picture": File("image/png", _HTML),
    "/a-picture": File("text/html", PNG),
    **{path: landing(ERRORS, path) for path in _BAD_ESCAPES},
}
_BUSY: Exhibits = {"/limited": Busy(429, 1, False, 2, landing(BUSY, "/limited"))}
_AWAY: Exhibits = {"/closed": Busy(503, 1, True, 1, landing(AWAY, "/closed"))}
_PARKED: Exhibits = {"/never": Busy(503, 86_400, False, None, landing(PARKED, "/never"))}
_SLOW: Exhibits = {
    "/late": landing(SLOW, "/late", Speed.LATE),
    "/trickle": landing(SLOW, "/trickle", Speed.TRICKLE),
}

REFUSALS = (
    MaliceHost(ERRORS, "errors, and labels that lie", _ERRORS),
    MaliceHost(BUSY, "429 twice, then a page", _BUSY),
    MaliceHost(AWAY, "503 once, with a date, then a page", _AWAY),
    MaliceHost(PARKED, "503 for ever", _PARKED),
    MaliceHost(SLOW, "slow, but good in the end", _SLOW),
)


def _closed(how: str, robots: Resource) -> MaliceHost:
    return MaliceHost(f"robots-{how}.malice.test", "no robots.txt to be had", {}, robots=robots)


# Whoever cannot read robots.txt must stay outside.
CLOSED = (
    _closed("reset", Broken("reset", (End.RESET,))),
    _closed("busy", Sorry(429)),
    _closed("failing", Sorry(500)),
)
