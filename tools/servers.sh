#!/usr/bin/env bash
# Install what the tests of deploy/, of graphs on servers, of shared caches and of clocks that are wrong need, where it
# is missing: nginx, systemd-analyze, promtool, Virtuoso, Redis and libfaketime. On Debian, as root. promtool is taken
# out of the package of Prometheus, and redis-server is another name of a program in redis-tools, so that neither
# brings a daemon that starts.
set -euo pipefail
PATH="$PATH:/usr/sbin:/sbin"
export DEBIAN_FRONTEND=noninteractive

is_missing() { ! command -v "$1" >/dev/null; }

packages=()
is_missing nginx && packages+=(nginx-light)
is_missing systemd-analyze && packages+=(systemd)
is_missing virtuoso-t && packages+=(virtuoso-opensource-7-bin)
is_missing redis-server && packages+=(redis-tools)
compgen -G '/usr/lib/*/faketime/libfaketime.so.1' >/dev/null || packages+=(libfaketime)
if [ ${#packages[@]} = 0 ] && ! is_missing promtool; then exit 0; fi
if [ "$(id -u)" != 0 ]; then
  echo "As root, on Debian: apt-get install nginx-light systemd prometheus virtuoso-opensource-7-bin redis-server libfaketime" >&2
  exit 1
fi
echo "installing ${packages[*]} $(is_missing promtool && echo promtool) (once) ..." >&2

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
if is_missing redis-server; then
  ln -s "$(command -v redis-check-rdb)" /usr/local/bin/redis-server
fi
