"""The recipes for CI in docs/report.md: their commands run, and what they write is what CI reads."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from junitparser import JUnitXml
from pydantic_sarif.model import (
    StaticAnalysisResultsFormatSarifVersion210JsonSchema as SarifLog,
)
from tests.report.planted import planted_pages

DOCS = Path(__file__).resolve().parents[2] / "docs" / "report.md"
RECIPES = [
    yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", DOCS.read_text(), re.S)
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "public").mkdir()
    for nth, (text, _) in enumerate(planted_pages()):
        if nth < 3:
            (tmp_path / "public" / f"{nth}.html").write_text(text)
    (tmp_path / "known.json").write_text('{"findings": []}')
    return tmp_path


def run(folder: Path, command: str) -> int:
    name, *words = shlex.split(command)
    assert name == "gossamer"
    done = subprocess.run(
        [sys.executable, "-m", "gossamer", *words], cwd=folder, capture_output=True, check=False
    )
    return done.returncode


def test_github_actions_uploads_what_is_sarif_by_its_schema(folder: Path) -> None:
    steps = RECIPES[0]["jobs"]["report"]["steps"]
    (command,) = (each["run"] for each in steps if "gossamer report" in each.get("run", ""))
    assert run(folder, command) == 1
    (upload,) = (each for each in steps if "upload-sarif" in each.get("uses", ""))
    assert upload["if"] == "always()"
    text = (folder / upload["with"]["sarif_file"]).read_text()
    (ran,) = SarifLog.model_validate_json(text).runs
    assert len(ran.results) == 9
    places = {each.locations[0].physicalLocation.artifactLocation.uri for each in ran.results}
    assert places == {"public/0.html", "public/1.html", "public/2.html"}
    assert all(each.locations[0].physicalLocation.region.startLine for each in ran.results)


def test_gitlab_reads_the_findings_as_tests(folder: Path) -> None:
    job = RECIPES[1]["structured-data"]
    (command,) = (each for each in job["script"] if each.startswith("gossamer report"))
    assert run(folder, command) == 1
    suites = JUnitXml.fromfile(str(folder / job["artifacts"]["reports"]["junit"]))
    assert sum(suite.failures for suite in suites) == 9
    assert {suite.name for suite in suites if suite.failures} == {
        f"https://example.org/{nth}.html" for nth in range(3)
    }
