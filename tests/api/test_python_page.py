"""The examples of docs/python.md run on a small crawl."""

import re
import subprocess
import sys
from pathlib import Path

from tests.api.shop import make_shop
from tests.slowness import patience

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_the_examples_run_as_they_stand(tmp_path: Path) -> None:
    make_shop(tmp_path / "gossamer-data")
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert blocks
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Lamp" in done.stdout
