"""What is wrong with a text that is to be JSON, as a sentence. Pure."""

import json


def no_json(error: json.JSONDecodeError) -> str:
    """The sentence; the line is told beside it."""
    what = error.msg.removesuffix(" at").removesuffix(" starting")  # a position would follow
    return f"This is no JSON: {what[:1].lower()}{what[1:]}."
