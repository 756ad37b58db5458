"""Pin every dependency, with hashes, for every platform and Python we support.

`requirements.txt` is what running Gossamer from a clone takes, `requirements-dev.txt` adds
tests, checks and benchmarks. The file in `deploy` is what `deploy/install.sh` installs, the
one in `bench/peers` the environment of the crawlers that we are measured beside, the one in
`tools/audit` that of `make audit`, the one in `tools/site` that of `make site`. The one in
`tests/sinks` is what `make soak` adds for the recipes of docs/sinks.md, the one in `tests/archive`
the environment of other readers of archives, the one in `tests/spark` that of PySpark.
Pins stay as they are unless `--upgrade` is given. No index address is written, so a clone installs from wherever its user's pip looks.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILES = {
    "requirements.txt": ["build"],
    "requirements-dev.txt": ["dev"],
    "deploy/requirements.txt": ["postgres", "redis", "intercept", "data", "mcp"],
}
CONSTRAINTS = {
    # Both files must agree, or the second install would undo the first.
    "requirements-dev.txt": "requirements.txt",
    # What is deployed is what was tested.
    "deploy/requirements.txt": "requirements-dev.txt",
    # What `make soak` adds to the environment of the tests.
    "tests/sinks/requirements.txt": "requirements-dev.txt",
}
APART = (
    "tests/sinks/requirements.in",
    "tests/archive/requirements.in",
    "tests/spark/requirements.in",
    "bench/peers/requirements.in",
    "tools/audit/requirements.in",
    "tools/site/requirements.in",
)  # in environments of their own, but for the first
UPGRADE = "--upgrade"
HEADER = "# Pinned by `make lock`; do not edit.\n"


def pin(name: str, extras: list[str], source: str = "pyproject.toml") -> None:
    """Write one requirements file."""
    command = [sys.executable, "-m", "uv", "pip", "compile", source, "--quiet"]
    command += ["--universal", "--python-version", "3.11", "--generate-hashes"]
    command += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    for extra in extras:
        command += ["--extra", extra]
    if agreeing := CONSTRAINTS.get(name):
        command += ["--constraint", agreeing]
    # What is pinned stays as it is, unless it is to be upgraded or cannot stay.
    command += ["--output-file", name, *(["--upgrade"] if UPGRADE in sys.argv else [])]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    file = ROOT / name
    file.write_text(HEADER + file.read_text().removeprefix(HEADER))


if __name__ == "__main__":
    for file_name, wanted in FILES.items():
        pin(file_name, wanted)
    for source in APART:
        pin(source.replace(".in", ".txt"), [], source)
