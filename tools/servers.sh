#!/usr/bin/env bash
# Install what the tests of deploy/ and of graphs on servers need, where it is missing: nginx, systemd-analyze,
# promtool and Virtuoso. On Debian, as root. promtool is taken out of the package of Prometheus, so that no daemon
# is installed.
set -euo pipefail
PATH="$PATH:/usr/sbin:/sbin"
export DEBIAN_FRONTEND=noninteractive

is_missing() { ! command -v "$1" >/dev/null; }

packages=()
is_missing nginx && packages+=(nginx-light)
is_missing systemd-analyze && packages+=(systemd)
is_missing virtuoso-t && packages+=(virtuoso-opensource-7-bin)
if [ ${#packages[@]} = 0 ] && ! is_missing promtool; then exit 0; fi
if [ "$(id -u)" != 0 ]; then
  echo "As root, on Debian: apt-get install nginx-light systemd prometheus virtuoso-opensource-7-bin" >&2
  exit 1
fi
echo "installing ${packages[*]} promtool (once) ..." >&2

install_packages() {
  { [ ${#packages[@]} = 0 ] || apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null; } &&
    { ! is_missing promtool || apt-get download -qq prometheus; }
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
install_packages 2>/dev/null || { apt-get update -qq && install_packages; }
if is_missing promtool; then
  dpkg -x prometheus_*.deb .
  install usr/bin/promtool /usr/local/bin/
fi
