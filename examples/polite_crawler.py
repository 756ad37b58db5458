"""A crawler of one's own that asks Gossamer before each request, and reports how it went.

    gossamer serve &
    python polite_crawler.py https://example.org/ 20

All programs that ask the same service are together as polite as one: robots.txt, one request per host at a time, the host's
delay, Retry-After. See docs/politeness-service.md.
"""

import os
import sys
import time
from collections import deque
from typing import Any
from urllib.parse import urlsplit

import requests

import gossamer

SERVICE = os.environ.get("GOSSAMER_SERVICE", "http://127.0.0.1:8717")


def ask(path: str, **order: Any) -> dict[str, Any]:
    """A question to the service, and its answer."""
    answer = requests.post(SERVICE + path, json=order, timeout=60)
    answer.raise_for_status()
    return dict(answer.json())


def fetch(url: str) -> requests.Response | None:
    """The response for a URL, when its host may be asked; None if it may not, or does not answer."""
    while (lease := (answer := ask("/politeness/lease", url=url))["lease"]) is None:
        if answer["retryAfter"] < 0:  # waiting does not help
            print(f"{url}: {answer['error']}", file=sys.stderr)
            return None
        time.sleep(answer["retryAfter"] / 1000)
    seconds = lease["validFor"] / 1000
    try:
        response = requests.get(url, allow_redirects=False, timeout=min(seconds, 30))
    except requests.RequestException as error:
        ask("/politeness/report", id=lease["id"], cause="other")
        print(f"{url}: {error}", file=sys.stderr)
        return None
    report: dict[str, Any] = {
        "status": response.status_code,
        "took": round(response.elapsed.total_seconds() * 1000),
    }
    if pause := response.headers.get("Retry-After"):
        report["retryAfter"] = pause
    ask("/politeness/report", id=lease["id"], **report)
    return response


def crawl(seed: str, most: int) -> None:
    """Print the title and the number of quads of each page of a host."""
    waiting, known, count = deque([seed]), {seed}, 0
    while waiting and count < most:
        url = waiting.popleft()
        response = fetch(url)
        if response is None or response.status_code != 200:
            continue
        count += 1
        content_type = response.headers.get("Content-Type")
        page = gossamer.extract(response.content, url=url, content_type=content_type)
        print(url, page.count, "quads")
        for link in page.links:
            if urlsplit(link.url).hostname == urlsplit(seed).hostname and link.url not in known:
                known.add(link.url)
                waiting.append(link.url)


if __name__ == "__main__":
    crawl(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20)
