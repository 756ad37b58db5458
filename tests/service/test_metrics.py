"""What is counted, as Prometheus reads it."""

import re

from tests.service.running import Client

from gossamer.service.metrics import families
from gossamer.service.processes import Usage

SAMPLE = re.compile(r'gossamer_\w+(\{(\w+="(?:[^"\\\n]|\\.)*",?)+\})? -?[0-9.e+-]+')
RUN = {
    "seconds": 2.5,
    "ended": {"content": 7},
    "quads": 70,
    "problems": 1,
    "bytes": 700,
    "pages_per_second": 3.5,
    "quads_per_second": 35.0,
    "phase_totals": {"fetch": {"seconds": 0.5, "pages": 7}},
    "queues": {"fetch": 1, "read": 2, "archive": 3, "graph": 4, "settle": 5},
    "state": "running",
}
COUNTS = ("known", "pending", "handed", "waiting", "aside", "beyond", "disk_free")
STATUS = {
    **dict.fromkeys(COUNTS, 1),
    "ended": {"content": 7},
    "failures": {'odd "\n\\': 1},
    "refusals": {},
    "hosts": {"ready": 4},
    "graph": None,
    "not_followed": {"nofollow": 41},
    "words": {"documents": 9, "behind_files": 2, "behind_bytes": 300},
    "disk": {"graph": 10, "words": 20},
    "run": RUN,
}


def test_every_line_is_one_that_prometheus_reads(ask: Client) -> None:
    answer = ask("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    lines = answer.body.decode().splitlines()
    samples = [line for line in lines if not line.startswith("#")]
    assert all(SAMPLE.fullmatch(line) for line in samples)
    assert "gossamer_crawl_running 0" in samples
    assert any(line.startswith('gossamer_pages{outcome="content"} ') for line in samples)
    assert any(line.startswith("gossamer_process_resident_bytes{") for line in samples)
    typed = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(set(typed)) == len(typed)


def test_a_run_has_the_rate_time_and_queue_of_each_phase() -> None:
    text = "".join(families(STATUS, [Usage("owner", 1.25, 1000)]))
    for sample in (
        "gossamer_crawl_running 1",
        'gossamer_run_pages_total{outcome="content"} 7',
        'gossamer_run_rate{what="pages"} 3.5',
        'gossamer_phase_seconds_total{phase="fetch"} 0.5',
        'gossamer_phase_pages_total{phase="fetch"} 7',
        'gossamer_phase_queue{phase="archive"} 3',
        'gossamer_hosts{stage="ready"} 4',
        'gossamer_process_cpu_seconds_total{process="owner"} 1.25',
    ):
        assert f"\n{sample}\n" in text


def test_a_phase_has_the_same_name_in_every_family() -> None:
    text = "".join(families(STATUS, []))
    named = {
        family: re.findall(rf'^gossamer_phase_{family}{{phase="(\w+)"}}', text, re.MULTILINE)
        for family in ("seconds_total", "pages_total", "queue")
    }
    assert [*named.values()] == [["fetch", "read", "archive", "graph", "settle"]] * 3


def test_words_and_links_that_were_not_followed_are_counted() -> None:
    text = "".join(families(STATUS, []))
    for sample in (
        "gossamer_words_documents 9",
        "gossamer_words_behind_files 2",
        "gossamer_words_behind_bytes 300",
        'gossamer_disk_bytes{part="words"} 20',
        'gossamer_links_not_followed{rule="out-of-scope"} 1',
        'gossamer_links_not_followed{rule="nofollow"} 41',
    ):
        assert f"\n{sample}\n" in text
    assert "gossamer_words" not in "".join(families({**STATUS, "words": None}, []))


def test_whatever_a_cause_is_called_its_line_stays_whole() -> None:
    text = "".join(families(STATUS, []))
    assert 'gossamer_failures{cause="odd \\"\\n\\\\"} 1\n' in text
    assert all(line.startswith("#") or SAMPLE.fullmatch(line) for line in text.splitlines())
