"""What is in `deploy/` is what its readers take it for: systemd, nginx, Prometheus, Compose, and a fresh Debian."""

import json
import os
import re
import runpy
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.conftest import IS_FULL_SIZE
from tests.deployed import METRIC, board_queries
from tests.slowness import patience
from tests.test_project import check_command

from gossamer.settings.sources import keys

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.*"))
EXPOSURE = 20  # in tenths: systemd calls less than 2 "OK"


def tool(name: str) -> str:
    """A program that need not be there."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"needs {name}: it is not installed here")
    return found


def ran(*command: str, **more: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command, capture_output=True, text=True, timeout=patience(60), check=False, **more
    )


def test_systemd_understands_the_units_and_calls_them_well_protected(tmp_path: Path) -> None:
    analyze = tool("systemd-analyze")
    for unit in UNITS:
        installed = unit.read_text().replace("/opt/gossamer/bin/gossamer", "/bin/true")
        (tmp_path / unit.name).write_text(installed)
    names = [unit.name for unit in UNITS]
    verified = ran(analyze, "verify", "--man=no", *(f"./{each}" for each in names), cwd=tmp_path)
    ours = [line for line in verified.stderr.splitlines() if "gossamer" in line]
    assert (verified.returncode, ours) == (0, [])
    services = [f"./{name}" for name in names if name.endswith(".service")]
    for service in services:
        done = ran(
            *(analyze, "security", "--offline=true", f"--threshold={EXPOSURE}", service),
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_commands_of_units_and_containers_exist_with_their_options() -> None:
    for unit in UNITS:
        for line in re.findall(r"(?m)^ExecStart=/opt/gossamer/bin/(.*)$", unit.read_text()):
            check_command(line, unit.name)
    services = [*compose()["services"].items(), *compose("compose.node.yaml")["services"].items()]
    for name, service in services:
        if service.get("image") == "gossamer":
            check_command(f"gossamer {' '.join(service['command'])}", name)


def compose(file: str = "compose.yaml") -> Any:
    return yaml.safe_load((DEPLOY / file).read_text())


def test_a_node_of_its_own_is_as_confined_as_the_crawler_and_has_no_ports() -> None:
    (node,) = compose("compose.node.yaml")["services"].values()
    crawler = compose()["services"]["crawler"]
    alike = ("read_only", "cap_drop", "security_opt", "tmpfs", "stop_grace_period", "restart")
    assert {name: node[name] for name in alike} == {name: crawler[name] for name in alike}
    assert "ports" not in node


def test_what_compose_names_is_declared_and_only_the_service_is_offered_to_this_machine() -> None:
    whole = compose()
    services = whole["services"]
    assert {"crawler", "service", "database", "sparql"} == set(services)
    for name, each in services.items():
        assert set(each["networks"]) <= set(whole["networks"]), name
        assert set(each.get("depends_on", ())) <= set(services), name
        volumes = {volume.partition(":")[0] for volume in each.get("volumes", ())}
        assert {volume for volume in volumes if volume[0] != "."} <= set(whole["volumes"]), name
        for dependency, wanted in each.get("depends_on", {}).items():
            healthy = wanted["condition"] == "service_healthy"
            assert not healthy or "healthcheck" in services[dependency], name
        assert all(port.startswith("127.0.0.1:") for port in each.get("ports", ()))
    assert whole["networks"]["inside"] == {"internal": True}
    assert [name for name, each in services.items() if "ports" in each] == ["service"]
    assert all("outside" not in services[name]["networks"] for name in ("database", "sparql"))


def test_every_setting_that_is_deployed_is_one_of_ours() -> None:
    known = {key.variable for key in keys().values()} | {"GOSSAMER_DATA"}
    for file in (
        "compose.yaml",
        "compose.node.yaml",
        "environment.example",
        "nginx.conf",
        "Dockerfile",
    ):
        named = set(re.findall(r"\bGOSSAMER_[A-Z_]+", (DEPLOY / file).read_text()))
        assert named <= known, file


def test_nginx_understands_the_reverse_proxy(tmp_path: Path) -> None:
    nginx = tool("nginx")
    certify(tmp_path)
    site = (DEPLOY / "nginx.conf").read_text().replace("/etc/ssl/gossamer", str(tmp_path))
    for port in ("80", "443"):  # which others may have here
        site = site.replace(f"listen {port}", f"listen unix:{tmp_path}/{port}.sock")
    (tmp_path / "site.conf").write_text(site)
    logs = f"error_log stderr; pid {tmp_path}/pid; events {{}}"
    (tmp_path / "nginx.conf").write_text(
        f"{logs} http {{ access_log off; include {tmp_path}/site.conf; }}"
    )
    done = ran(nginx, "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf"))
    assert (done.returncode, "[warn]" in done.stderr) == (0, False), done.stderr


def test_the_reverse_proxy_lets_only_named_networks_read_and_only_this_machine_lease() -> None:
    site = (DEPLOY / "nginx.conf").read_text()
    behind_tls = site.partition("listen 443")[2]
    assert "allow 10.0.0.0/8;" in behind_tls.partition("location")[0]
    assert "deny all;" in behind_tls.partition("location")[0]
    lending = behind_tls.partition("location /politeness {")[2].partition("}")[0]
    assert re.findall(r"(allow|deny) (\S+);", lending) == [
        ("allow", "127.0.0.1"),
        ("allow", "::1"),
        ("deny", "all"),
    ]


def certify(folder: Path) -> None:
    """A certificate that nobody trusts."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "crawl.example.org")])
    begun = x509.CertificateBuilder().subject_name(name).issuer_name(name).serial_number(1)
    lasting = begun.not_valid_before(now).not_valid_after(now + timedelta(days=1))
    certificate = lasting.public_key(key.public_key()).sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(pem))
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


def test_prometheus_understands_its_configuration_the_alerts_and_the_queries_of_the_board(
    tmp_path: Path,
) -> None:
    promtool = tool("promtool")
    done = ran(promtool, "check", "config", str(DEPLOY / "prometheus.yml"))
    assert done.returncode == 0, done.stderr
    rules = [
        {"record": f"panel:{number}", "expr": query.replace("$__rate_interval", "5m")}
        for number, query in enumerate(board_queries())
    ]
    board = tmp_path / "board.json"  # which is YAML too
    board.write_text(json.dumps({"groups": [{"name": "board", "rules": rules}]}))
    done = ran(promtool, "check", "rules", str(board))
    assert done.returncode == 0, done.stderr


def test_the_board_has_a_query_in_every_panel_and_asks_for_the_chosen_instance() -> None:
    queries = board_queries()
    assert len(queries) > 20
    assert all('instance=~"$instance"' in query for query in queries)
    panels = json.loads((DEPLOY / "grafana/gossamer.json").read_text())["panels"]
    assert all(panel.get("targets") for panel in panels if panel["type"] != "row")
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert all(METRIC.search(query) for query in queries)


@pytest.mark.parametrize(
    ("given", "sentence"), [((), "Name one wheel"), (("none.whl",), "There is no file none.whl")]
)
def test_the_installation_says_what_it_needs(given: tuple[str, ...], sentence: str) -> None:
    done = ran("sh", str(DEPLOY / "install.sh"), *given)
    assert done.returncode == 1
    assert done.stderr.startswith(sentence)


@pytest.mark.skipif(not IS_FULL_SIZE, reason="needs soak: a fresh Debian takes minutes")
def test_a_fresh_debian_goes_from_the_installation_to_a_first_search(tmp_path: Path) -> None:
    """As the image is made: Debian's smallest system, Python, our script; then as the user `gossamer`."""
    mmdebstrap = tool("mmdebstrap")
    if os.geteuid() != 0:
        pytest.skip("needs root: only root can make a system to change into")
    dist = runpy.run_path(str(ROOT / "tools/dist.py"))
    wheel = next(each for each in dist["build"](ROOT, tmp_path, 0) if each.suffix == ".whl")
    system = tmp_path / "debian"
    packages = "--include=python3,python3-venv,ca-certificates"
    subprocess.run(
        [mmdebstrap, "--quiet", "--variant=minbase", packages, "bookworm", str(system)], check=True
    )
    lent = ("/etc/resolv.conf", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
    for file in filter(os.path.exists, lent):  # how this machine reaches its package indexes
        shutil.copy(file, f"{system}{file}")
    for path in (DEPLOY, ROOT / "tools/first_search.sh", wheel):
        (shutil.copytree if path.is_dir() else shutil.copy)(path, system / "tmp" / path.name)
    inside = ["unshare", "--mount", "--pid", "--fork", f"--mount-proc={system}/proc"]
    inside += ["chroot", str(system), "env", "-i", "HOME=/tmp", "LANG=C.UTF-8"]
    inside += ["PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
    subprocess.run([*inside, "sh", "/tmp/deploy/install.sh", f"/tmp/{wheel.name}"], check=True)
    for unit in UNITS:
        assert (system / "etc/systemd/system" / unit.name).is_file()
    as_user = ["setpriv", "--reuid=gossamer", "--regid=gossamer", "--clear-groups"]
    again = subprocess.run(
        [*inside, *as_user, "sh", "/tmp/first_search.sh", "--installed", "/usr/local/bin/gossamer"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert again.returncode == 0, again.stderr
    assert "http://www.site0.test/" in again.stdout
