"""Forms that a browser sends without script."""

from typing import Final
from urllib.parse import parse_qsl

from gossamer.service.errors import ProblemError
from gossamer.service.routes import Call

FORM: Final = "application/x-www-form-urlencoded"
MOST_FIELDS: Final = 100


def fields_of(call: Call) -> dict[str, str]:
    """The fields of a form that came as the body, each once; none where there was no form."""
    body = call.body if isinstance(call.body, bytes) else b""
    try:
        pairs = parse_qsl(body.decode(), max_num_fields=MOST_FIELDS)
    except ValueError:
        raise ProblemError(400, "bad-body", "This is no form.") from None
    return dict(reversed(pairs))
