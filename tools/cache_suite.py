"""Runs the public tests for HTTP caches through the proxy, and counts what passes.

    npm pack http-cache-tests && tar xf http-cache-tests-*.tgz && (cd package && npm install --omit=dev)
    python tools/cache_suite.py package

The suite (https://cache-tests.fyi) is no part of this project. Its server, the proxy and its client run on
loopback. A case counts where the suite's own client would run it for a proxy: not where it is for browsers
alone. "required" and "optimal" are the kinds that the suite gives its cases; "check" has no right answer.
The results of other servers that the package brings along are counted in the same way.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

# The suite's client with a `fetch` that asks the proxy for whole URLs.
GLUE = """
import http from 'node:http'
import { pathToFileURL } from 'node:url'
const [suite, proxy] = process.argv.slice(-2)
const load = path => import(pathToFileURL(suite + '/' + path))
const { default: fetch } = await load('node_modules/node-fetch/lib/index.mjs')
const { default: groups } = await load('tests/index.mjs')
const { runTests, getResults } = await load('client/runner.mjs')
class ThroughProxy extends http.Agent {
  addRequest (request, options) {
    request.path = 'http://' + options.host + request.path
    const [host, port] = proxy.split(':')
    super.addRequest(request, { ...options, host, port })
  }
}
const agent = new ThroughProxy({ keepAlive: true })
const through = (url, options) => fetch(url, { ...options, agent })
await runTests(groups, through, false, 'http://origin.test')
const cases = groups.flatMap(group => group.tests).filter(each => !each.browser_only)
const results = getResults()
console.log(JSON.stringify(cases.map(({ id, kind }) => [kind || 'required', id, results[id]])))
"""
PUBLISHED = ("apache", "nginx", "squid", "trafficserver", "varnish")
Case = tuple[str, str, object]  # its kind and name, and what came of it: true, or why not
SETTINGS = ("politeness.backoff_first=0s", "politeness.backoff_most=0s")


def main() -> None:
    """Run the suite, and print how many cases of each kind pass and which do not."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("suite", type=Path, help="the package, unpacked and installed")
    suite = parser.parse_args().suite.resolve()
    with ExitStack() as life:
        server, proxy = _free_port(), _free_port()
        environment = {
            **os.environ,
            "npm_config_protocol": "http",
            "npm_config_port": str(server),
            "npm_config_pidfile": os.devnull,
        }
        folder = life.enter_context(tempfile.TemporaryDirectory())
        _start(life, server, ["node", "server/server.mjs"], cwd=suite, env=environment)
        command = [
            sys.executable,
            "-m",
            "gossamer",
            "proxy",
            f"127.0.0.1:{proxy}",
            "--data",
            folder,
        ]
        command += ["--delay", "0s", "--connect-to", f"origin.test=127.0.0.1:{server}"]
        command += [word for each in SETTINGS for word in ("--config", each)]
        _start(life, proxy, command)
        glue = ["node", "--no-warnings", "--input-type=module", "-e", GLUE, "--"]
        done = subprocess.run(
            [*glue, str(suite), f"127.0.0.1:{proxy}"], check=True, stdout=subprocess.PIPE, text=True
        )
    cases: list[Case] = json.loads(done.stdout)
    print(f"the proxy: {_counts(cases)}")
    for peer in PUBLISHED:
        results = json.loads((suite / "results" / f"{peer}.json").read_text())
        print(f"{peer}: {_counts([(kind, name, results.get(name)) for kind, name, _ in cases])}")
    for kind, name, said in cases:
        if said is not True and kind != "check":
            print(f"  {kind} {name}: {said}")


def _counts(cases: list[Case]) -> str:
    return ", ".join(f"{kind} {_passed(cases, kind)}" for kind in ("required", "optimal"))


def _passed(cases: list[Case], kind: str) -> str:
    said = [each for its_kind, _, each in cases if its_kind == kind]
    return f"{said.count(True)} of {len(said)}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _start(
    life: ExitStack,
    port: int,
    command: list[str],
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
) -> None:
    """Start a server, and wait until it listens; it ends with `life`."""
    process = subprocess.Popen(command, cwd=cwd, env=env, stdout=subprocess.DEVNULL)
    life.callback(process.wait)
    life.callback(process.terminate)
    while process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit(f"{' '.join(command)} has ended before it listened.")


if __name__ == "__main__":
    main()
