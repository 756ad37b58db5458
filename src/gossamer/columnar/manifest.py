"""The manifest of a folder of columns: which inputs it has, how they were read, and what they come to.

Each file of pages says so of its own input; the manifest is drawn up from these, so that it cannot differ from what is
there. Nothing in it depends on when or in which order it was made.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from gossamer.columnar.pair_files import PAGES, told_in
from gossamer.folder.durable import sync

FILE: Final = "manifest.json"
COUNTED: Final = ("pages", "quads", "problems", "broken", "bytes")


def draw_up(folder: Path) -> dict[str, Any]:
    """The manifest of what is in a folder."""
    end = f"-{PAGES}.parquet"
    found = (
        (path.name.removesuffix(end), told_in(path))
        for path in sorted((folder / PAGES).glob(f"*{end}"))
    )
    return summary({name: told for name, told in found if told is not None})


def summary(inputs: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Inputs by name, and their totals."""
    return {"totals": totals(inputs.values()), "inputs": inputs}


def totals(inputs: Iterable[dict[str, Any]]) -> dict[str, int]:
    """What all inputs come to."""
    those = list(inputs)
    return {
        "inputs": len(those),
        **{key: sum(int(each.get(key, 0)) for each in those) for key in COUNTED},
    }


def write_manifest(folder: Path, manifest: dict[str, Any]) -> bool:
    """Write the manifest, unless it is there already; whether it was written."""
    text = json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    path = folder / FILE
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    draft = path.with_name(f".{FILE}.{os.getpid()}.tmp")
    draft.write_text(text, encoding="utf-8")
    sync(draft)
    draft.replace(path)
    sync(folder)
    return True
