#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the documentation site from the READMEs and the headers, without a network, and checks every link. What is wrong is listed,
# and then no site is written. Open index.html of the folder in a browser; it needs no server.
# Usage: toolchains/site.sh [FOLDER [PROGRAMS]]   (default: build/site; PROGRAMS: the folder with linnet and linnet-run, as
# build/release/bin, for a page with what their --help prints)
set -euo pipefail
cd "$(dirname "$0")/.."
[[ $# -le 2 && "${1:-}" != -* ]] || { sed -n 's/^# Usage: \(.*\]\) .*/usage: \1/p' "$0" >&2; exit 1; }

# The first interpreter in PATH may lack the libraries; Debian's packages install them for /usr/bin/python3.
python=python3
"$python" site/missing.py 2>/dev/null || python=/usr/bin/python3
"$python" site/missing.py
exec "$python" -B site/build.py . "${1:-build/site}" "${@:2}"
