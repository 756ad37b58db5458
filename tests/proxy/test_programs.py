"""Programs as people use them, through the proxy: HTTP, and HTTPS by CONNECT."""

import asyncio
import os
import shutil
import ssl
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import aiohttp
import httpx
import pytest
import requests
from tests.proxy.origin import PAGE
from tests.proxy.proxied import NO_DELAY, Proxied, run, running
from tests.slowness import patience

from gossamer.config import Fetch, Politeness
from gossamer.proxy.authority import Authority

PLAIN, SECURE = "http://a.test/page", "https://secure.test/page"
FORBIDDEN = "http://a.test/private/x"
PEERS = Path(__file__).resolve().parents[2] / ".venv-peers" / "bin" / "python"
Work = Callable[[Proxied, str], Coroutine[Any, Any, None]]
SCRAPY = """
import sys
import scrapy
from scrapy.crawler import CrawlerProcess

class Spider(scrapy.Spider):
    name = "one"
    handle_httpstatus_list = [403]

    async def start(self):
        for url in sys.argv[1:]:
            yield scrapy.Request(url)

    def parse(self, response):
        print(response.status, len(response.body), response.headers.get("X-Gossamer-Reason"))

process = CrawlerProcess({"LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False})
process.crawl(Spider)
process.start()
"""
NODE = """
const http = require('node:http'), tls = require('node:tls'), fs = require('node:fs');
const proxy = new URL(process.env.http_proxy), [plain, secure, forbidden] = process.argv.slice(1);
const count = (name, answer) => {
  let size = 0;
  answer.on('data', piece => { size += piece.length; });
  answer.on('end', () => console.log(name, answer.statusCode, size));
};
for (const [name, url] of [['plain', plain], ['forbidden', forbidden]])
  http.get({ host: proxy.hostname, port: proxy.port, path: url, headers: { Host: new URL(url).host } },
           answer => count(name, answer));
const { hostname, pathname } = new URL(secure);
http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: hostname + ':443',
               headers: { Host: hostname + ':443' } })
  .on('connect', (_, socket) => {
    const secured = tls.connect({ socket, servername: hostname, ca: fs.readFileSync(process.env.CA) });
    http.get({ createConnection: () => secured, path: pathname, headers: { Host: hostname } },
             answer => count('secure', answer));
  }).end();
"""
# From 24 on, `fetch` heeds NODE_USE_ENV_PROXY. Before, somebody else has to connect for it, as
# undici's ProxyAgent does: with CONNECT, whatever the scheme.
NODE_FETCH = """
const http = require('node:http'), tls = require('node:tls');
const proxy = new URL(process.env.http_proxy), [plain, secure, forbidden] = process.argv.slice(1);
const connect = ({ hostname, port, protocol }, done) => {
  const path = hostname + ':' + (port || (protocol === 'https:' ? 443 : 80));
  http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path, headers: { Host: path } })
    .on('connect', (_, socket) => {
      if (protocol !== 'https:') return done(null, socket);
      const secured = tls.connect({ socket, servername: hostname }, () => done(null, secured)).on('error', done);
    }).on('error', done).end();
};
(async () => {
  await fetch('data:,');  // before which there is no dispatcher
  const { constructor: Agent } = globalThis[Symbol.for('undici.globalDispatcher.1')];
  const knows = Number(process.versions.node.split('.')[0]) >= 24;
  const options = knows ? {} : { dispatcher: new Agent({ connect, keepAliveTimeout: 1 }) };
  for (const [name, url] of [['plain', plain], ['secure', secure], ['forbidden', forbidden]]) {
    const answer = await fetch(url, options);
    console.log(name, answer.status, (await answer.arrayBuffer()).byteLength);
  }
  process.exit(0);  // the connections of a fetch stay open for a while
})();
"""


def proxied_by(
    tmp_path: Path,
    authority: Authority,
    tls: ssl.SSLContext,
    work: Work,
    politeness: Politeness = NO_DELAY,
) -> None:
    """Do something with a proxy before a server that speaks TLS too."""

    async def both() -> None:
        fetch = Fetch(ca=str(authority.file))
        async with running(tmp_path, politeness=politeness, fetch=fetch, tls=tls) as proxied:
            await work(proxied, f"http://127.0.0.1:{proxied.port}")
            assert {each.host for each in proxied.web.pages()} == {"a.test", "secure.test"}
            assert proxied.parts.figures.tunnels >= 1

    run(both())


async def output(proxy: str, authority: Authority, *command: str) -> str:
    """What a command prints that is told of the proxy by its environment."""
    environment = {
        "PATH": os.environ["PATH"],
        "http_proxy": proxy,
        "https_proxy": proxy,
        "CA": str(authority.file),
        "NODE_EXTRA_CA_CERTS": str(authority.file),
    }
    process = await asyncio.create_subprocess_exec(
        *command,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    printed, complaint = await process.communicate()
    assert process.returncode == 0, complaint.decode()
    return printed.decode()


def needed(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"needs {program}: it is not installed here")
    return found


def test_curl(tmp_path: Path, test_authority: Authority, tls: ssl.SSLContext) -> None:
    curl = needed("curl")

    async def work(_: Proxied, proxy: str) -> None:
        shown = ["-s", "-o", "/dev/null", "-w", "%{http_code} %{size_download}\n"]
        each = [word for url in (PLAIN, SECURE, FORBIDDEN) for word in (url, "-o", "/dev/null")]
        words = [curl, "--cacert", str(test_authority.file), *shown, *each[:-2]]
        answers = (await output(proxy, test_authority, *words)).split("\n")
        assert answers[:2] == [f"200 {len(PAGE)}"] * 2
        assert answers[2].startswith("403 ")

    proxied_by(tmp_path, test_authority, tls, work)


def test_wget(tmp_path: Path, test_authority: Authority, tls: ssl.SSLContext) -> None:
    wget = needed("wget")

    async def work(_: Proxied, proxy: str) -> None:
        words = [wget, "-q", "-O", "-", f"--ca-certificate={test_authority.file}", PLAIN, SECURE]
        assert (await output(proxy, test_authority, *words)).encode() == PAGE * 2

    proxied_by(tmp_path, test_authority, tls, work)


def test_requests(tmp_path: Path, test_authority: Authority, tls: ssl.SSLContext) -> None:
    async def work(_: Proxied, proxy: str) -> None:
        def ask() -> None:
            with requests.Session() as session:
                session.proxies = {"http": proxy, "https": proxy}
                session.verify = str(test_authority.file)
                session.trust_env = False  # which would have another authority, where one is set
                assert session.get(PLAIN, timeout=patience(60)).content == PAGE
                assert session.get(SECURE, timeout=patience(60)).content == PAGE
                refused = session.get(FORBIDDEN, timeout=patience(60))
                assert refused.status_code == 403
                assert "Line 2 of robots.txt" in refused.headers["X-Gossamer-Reason"]

        await asyncio.to_thread(ask)

    proxied_by(tmp_path, test_authority, tls, work)


def test_httpx(tmp_path: Path, test_authority: Authority, tls: ssl.SSLContext) -> None:
    trusting = ssl.create_default_context(cafile=str(test_authority.file))

    async def work(_: Proxied, proxy: str) -> None:
        async with httpx.AsyncClient(proxy=proxy, verify=trusting, timeout=patience(60)) as client:
            assert (await client.get(PLAIN)).content == PAGE
            assert (await client.get(SECURE)).content == PAGE
            assert (await client.get(FORBIDDEN)).status_code == 403

    proxied_by(tmp_path, test_authority, tls, work)


def test_aiohttp(tmp_path: Path, test_authority: Authority, tls: ssl.SSLContext) -> None:
    trusting = ssl.create_default_context(cafile=str(test_authority.file))

    async def work(_: Proxied, proxy: str) -> None:
        async with aiohttp.ClientSession() as session:
            for url in (PLAIN, SECURE):
                async with session.get(url, proxy=proxy, ssl=trusting) as answer:
                    assert await answer.read() == PAGE
            async with session.get(FORBIDDEN, proxy=proxy) as answer:
                assert answer.status == 403

    proxied_by(tmp_path, test_authority, tls, work)


REDIRECTED: Final = (f"https://secure.test/to/{SECURE}", f"https://secure.test/to/{PLAIN}")


def test_aiohttp_follows_redirects_through_tunnels_at_the_usual_delay(
    tmp_path: Path, test_authority: Authority, tls: ssl.SSLContext
) -> None:
    trusting = ssl.create_default_context(cafile=str(test_authority.file))

    async def work(_: Proxied, proxy: str) -> None:
        async with aiohttp.ClientSession() as session:
            for url in REDIRECTED:
                async with session.get(url, proxy=proxy, ssl=trusting) as answer:
                    assert await answer.read() == PAGE

    proxied_by(tmp_path, test_authority, tls, work, Politeness(contact="me@example.org"))


def test_requests_follows_redirects_through_tunnels_at_the_usual_delay(
    tmp_path: Path, test_authority: Authority, tls: ssl.SSLContext
) -> None:
    async def work(_: Proxied, proxy: str) -> None:
        def ask() -> None:
            with requests.Session() as session:
                session.proxies = {"http": proxy, "https": proxy}
                session.verify = str(test_authority.file)
                session.trust_env = False
                for url in REDIRECTED:
                    assert session.get(url, timeout=patience(60)).content == PAGE

        await asyncio.to_thread(ask)

    proxied_by(tmp_path, test_authority, tls, work, Politeness(contact="me@example.org"))


def test_scrapy(tmp_path: Path, test_authority: Authority, tls: ssl.SSLContext) -> None:
    if not PEERS.exists():
        pytest.skip("needs peers: `make bench` sets up the environment that Scrapy is in")

    async def work(_: Proxied, proxy: str) -> None:
        words = [str(PEERS), "-c", SCRAPY, PLAIN, SECURE, FORBIDDEN]
        lines = sorted((await output(proxy, test_authority, *words)).splitlines())
        assert lines[:2] == [f"200 {len(PAGE)} None"] * 2
        assert "Line 2 of robots.txt" in lines[2]

    proxied_by(tmp_path, test_authority, tls, work)


def test_node(tmp_path: Path, test_authority: Authority, tls: ssl.SSLContext) -> None:
    node = needed("node")

    async def work(_: Proxied, proxy: str) -> None:
        words = [node, "-e", NODE, PLAIN, SECURE, FORBIDDEN]
        lines = sorted((await output(proxy, test_authority, *words)).splitlines())
        assert lines[1:] == [f"plain 200 {len(PAGE)}", f"secure 200 {len(PAGE)}"]
        assert lines[0].startswith("forbidden 403 ")

    proxied_by(tmp_path, test_authority, tls, work)


def test_the_fetch_of_node(tmp_path: Path, test_authority: Authority, tls: ssl.SSLContext) -> None:
    node = needed("node")

    async def work(proxied: Proxied, proxy: str) -> None:
        words = ["env", "NODE_USE_ENV_PROXY=1", node, "-e", NODE_FETCH, PLAIN, SECURE, FORBIDDEN]
        lines = (await output(proxy, test_authority, *words)).splitlines()
        assert lines[:2] == [f"plain 200 {len(PAGE)}", f"secure 200 {len(PAGE)}"]
        assert lines[2].startswith("forbidden 403 ")
        assert proxied.parts.figures.tunnels == 1  # what is not secret is looked into

    proxied_by(tmp_path, test_authority, tls, work)


def test_python_alone(tmp_path: Path, test_authority: Authority, tls: ssl.SSLContext) -> None:
    code = (
        "import ssl, sys, os, urllib.request as u\n"
        "secure = u.HTTPSHandler(context=ssl.create_default_context(cafile=os.environ['CA']))\n"
        "for url in sys.argv[1:]: print(len(u.build_opener(secure).open(url, timeout=60).read()))"
    )

    async def work(_: Proxied, proxy: str) -> None:
        printed = await output(proxy, test_authority, sys.executable, "-c", code, PLAIN, SECURE)
        assert printed.split() == [str(len(PAGE))] * 2

    proxied_by(tmp_path, test_authority, tls, work)
