"""Explains in a sentence why a text is not JSON. Pure."""

import json


def no_json(error: json.JSONDecodeError) -> str:
    """The sentence about a JSON error; the line is reported separately."""
    what = error.msg.removesuffix(" at").removesuffix(" starting")  # a position would follow
    return f"This is no JSON: {what[:1].lower()}{what[1:]}."
