#!/bin/sh
# From the install line to the first search, as somebody does who has nothing but Python: installs a package
# into a folder of its own, crawls a demo web on loopback, searches what was found, and says what it took.
#
#   tools/first_search.sh gossamer                 # what is on the index, from the day of a release
#   tools/first_search.sh dist/gossamer-*.whl      # what `make dist` has built
#   tools/first_search.sh --installed PROGRAM      # without the installation
set -eu

[ $# -ge 1 ] || { echo "Name what to install: $0 dist/gossamer-*.whl" >&2; exit 2; }
place=$(mktemp -d)
web=
trap '[ -z "$web" ] || kill "$web"; rm -rf "$place"' EXIT

if [ "$1" = --installed ]; then
    program=$2
else
    "${PYTHON:-python3}" -m venv "$place/venv"
    "$place/venv/bin/python" -m pip --disable-pip-version-check --quiet install "$1"
    program=$place/venv/bin/gossamer
fi
installed=$(date +%s)
cd "${FIRST_SEARCH_IN:-$place}"

mkfifo "$place/said"
"$program" demo --no-crawl --pages 10 --hosts 1 >"$place/shown" 2>"$place/said" &
web=$!
exec 3<"$place/said"
address=
while [ -z "$address" ] && read -r line <&3; do # Serving on 127.0.0.1:PORT until Ctrl-C.
    address=$(printf '%s' "$line" | sed -n 's/^Serving on \(127\.0\.0\.1:[0-9]*\).*/\1/p')
done
[ -n "$address" ] || { echo "The demo web did not start." >&2; exit 1; }

"$program" crawl http://www.site0.test/ --scope any --delay 0.05 --connect-to "*.test=$address" \
    --agent-contact you@example.org --max-pages 5
"$program" search the --limit 3
kill "$web"
wait "$web" || true
web=
times >"$place/times" # minutes and seconds: ours, then those of all that we have run
echo "From the end of the installation to the end of the search: $(($(date +%s) - installed)) s."
echo "Processor time (user, system), the installation included: $(tail -n 1 "$place/times")"
