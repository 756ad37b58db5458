"""The Python examples in README and docs run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.slowness import patience

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = [
    (page.name, block)
    for page in [ROOT / "README.md", ROOT / "docs" / "extraction.md", ROOT / "docs" / "demo-web.md"]
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
]


@pytest.mark.parametrize(("page", "block"), EXAMPLES)
def test_an_example_runs_as_it_stands(page: str, block: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", block],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
    )
    assert done.returncode == 0, f"{page}: {done.stderr}"
