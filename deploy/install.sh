#!/bin/sh
# Installs Gossamer on Debian or Ubuntu, for a machine or an image: run it as root, with a wheel.
#
#   deploy/install.sh dist/gossamer-*.whl
#
# The program goes to /opt/gossamer, with the versions that requirements.txt beside this script pins; it
# runs as the user `gossamer`, whose data folder is /var/lib/gossamer. Run it again with a newer wheel to
# upgrade; data and /etc/gossamer stay as they are.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
place=${INSTALL_PLACE:-/opt/gossamer}
data=/var/lib/gossamer
settings=/etc/gossamer

fail() {
    echo "$*" >&2
    exit 1
}

[ $# -eq 1 ] || fail "Name one wheel: $0 dist/gossamer-*.whl (make dist builds it)"
[ -f "$1" ] || fail "There is no file $1. Build it with: make dist"
[ "$(id -u)" = 0 ] || fail "Only root can install for the whole machine. Run: sudo $0 $1"

if ! python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    command -v apt-get >/dev/null || fail "This needs Python 3.11 or newer with venv, and can install them on Debian and Ubuntu only."
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        python3 python3-venv ca-certificates >/dev/null
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "Gossamer needs Python 3.11 or newer; this system has $(python3 --version). Debian 12 and Ubuntu 24.04 have it."
fi

if ! id gossamer >/dev/null 2>&1; then
    if command -v useradd >/dev/null; then
        useradd --system --uid "${INSTALL_UID:-990}" --user-group --home-dir "$data" \
            --shell /usr/sbin/nologin gossamer
    else
        fail "There is no useradd here. Install it (apt install passwd), then run this again."
    fi
fi
install -d -o gossamer -g gossamer -m 0700 "$data"
install -d -o root -g gossamer -m 0750 "$settings"

# An upgrade is a new environment beside the old one: what runs goes on until it is restarted.
new=$(mktemp -d "$place-XXXXXX")
trap 'rm -rf "$new"' EXIT
chmod 0755 "$new"
python3 -m venv "$new"
pip="$new/bin/python -m pip --disable-pip-version-check --no-cache-dir --quiet install"
$pip --require-hashes -r "$here/requirements.txt"
$pip --no-deps "$1"
# Python compiles what it runs; the user who runs it must not be able to write it.
"$new/bin/python" -m compileall -q "$new/lib" || true
version=$("$new/bin/gossamer" --version)

old=$(readlink "$place" || true)
[ -z "$old" ] && [ -e "$place" ] && fail "$place is there and no link that this script has made. Move it away."
ln -sfn "$new" "$place"
trap - EXIT
[ -z "$old" ] || [ "$old" = "$new" ] || echo "The version before is in $old; remove it when you need no way back."

mkdir -p /usr/local/bin
ln -sf "$place/bin/gossamer" /usr/local/bin/gossamer
if [ -d /etc/systemd/system ] && [ -d "$here/systemd" ]; then
    install -m 0644 "$here"/systemd/gossamer* /etc/systemd/system/
fi
[ -e "$settings/environment" ] ||
    install -o root -g gossamer -m 0640 "$here/environment.example" "$settings/environment"
echo "Installed $version in $place; data: $data, settings: $settings."
