#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Reports which lines of the runtime the tests run: HTML in build/coverage/report/, and a table on standard output.
# Fails when less than 95 % of the lines of runtime/plan or runtime/verify ran, or when no test reached the file of
# a backend's op, unless the XNNPACK package of this machine lacks that op. Usage: toolchains/coverage.sh
set -euo pipefail
cd "$(dirname "$0")/.."
limit=95
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
./toolchains/setup.sh all
cmake --preset coverage >/dev/null
cmake --build --preset coverage
find build/coverage -name '*.gcda' -delete
ctest --test-dir build/coverage --output-on-failure --parallel "$(nproc)" --label-regex 'unit|conformance'

mkdir -p build/coverage/report
# Kernels for instruction sets that this CPU lacks count as lines that did not run.
report() { gcovr --root . --object-directory build/coverage --gcov-ignore-parse-errors "$@"; }
report --filter 'runtime/' --html-details build/coverage/report/index.html --csv build/coverage/report/lines.csv
build/coverage/bin/conformance_test --gtest_filter='*/xnnpack' >build/coverage/report/xnnpack.log
python3 - build/coverage/report/lines.csv "$limit" build/coverage/report/xnnpack.log <<'PYTHON'
import collections
import csv
import re
import sys

# GoogleTest prints "[ RUN      ] SpaceToDepth.block_2/xnnpack", "...: Skipped" and the reason. The file of such an
# op cannot be reached on this machine.
log = open(sys.argv[3]).read()
lacking = {op.lower() for op in re.findall(
    r"RUN .*\] (\w+)\..*\n.*Skipped\nnot in this XNNPACK package", log)}
lines, ran, unreached = collections.Counter(), collections.Counter(), []
for row in csv.DictReader(open(sys.argv[1])):
    folder = "/".join(row["filename"].split("/")[:-1])
    lines[folder] += int(row["line_total"])
    ran[folder] += int(row["line_covered"])
    if folder.startswith("runtime/backends/") and int(row["line_total"]) > 0 and int(row["line_covered"]) == 0:
        name = row["filename"].split("/")[-1].removesuffix(".cc")
        if folder == "runtime/backends/xnnpack/ops" and name.replace("_", "") in lacking:
            print(f"not in this XNNPACK package: {name}")
        else:
            unreached.append(row["filename"])
problems = [f"no test reaches {name}" for name in unreached]
for folder in sorted(lines):
    share = 100 * ran[folder] / max(lines[folder], 1)
    print(f"{folder:40} {ran[folder]:6} of {lines[folder]:6} lines  {share:5.1f} %")
    if folder in ("runtime/plan", "runtime/verify") and share < float(sys.argv[2]):
        problems.append(f"{folder}: {share:.1f} % of the lines ran, want at least {sys.argv[2]} %")
print("\n".join(problems) if problems else "tests reached the file of every op of every backend")
sys.exit(1 if problems else 0)
PYTHON
