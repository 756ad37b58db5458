"""The report on a whole site, crawled for it: every planted mistake once, and nothing else."""

import asyncio
import json
import subprocess
import sys
from functools import partial
from pathlib import Path

from tests.crawl.sites import served
from tests.site_report.planted_site import HOST, PlantedOnSite, planted_site


def test_every_planted_mistake_of_a_site_is_found_once_and_nothing_else(tmp_path: Path) -> None:
    pages, mistakes = planted_site()

    async def report() -> subprocess.CompletedProcess[str]:
        async with served(pages) as site:
            run = partial(subprocess.run, cwd=tmp_path, capture_output=True, text=True, check=False)
            return await asyncio.to_thread(
                run,
                [
                    *(sys.executable, "-m", "gossamer", "report", f"{HOST}/"),
                    *("--connect-to", f"*.test={site.address}", "--delay", "0"),
                    *("--agent-contact", "me@example.org", "-o", tmp_path / "report.json"),
                ],
            )

    done = asyncio.run(report())
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "report.json").read_text())
    found = [PlantedOnSite(each["rule"], each["page"], each["line"]) for each in told["findings"]]
    assert sorted(found, key=str) == sorted(mistakes, key=str)
    kinds = {each.rule for each in mistakes}
    assert len(mistakes) > 60
    assert len(kinds) > 30
    assert not (tmp_path / "gossamer-data").exists()
