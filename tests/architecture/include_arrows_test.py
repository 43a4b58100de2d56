#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dependencies point one way: reads every #include line and fails on an arrow that the design does not allow.

Each room lists the rooms it may include from (itself is always allowed). A room is the longest prefix of a file's
path that stands in the table.
"""
import pathlib
import re
import sys

CORE = {"schema", "runtime/core"}
OPS = CORE | {"runtime/ops"}
ALLOWED = {
    "runtime/core": {"schema"},
    "runtime/plan": CORE,
    "runtime/kernels": CORE,
    "runtime/ops": CORE,
    "runtime/verify": OPS | {"runtime/plan"},
    "runtime/threads": {"runtime/core"},
    "runtime/session": OPS | {"runtime/plan", "runtime/threads", "runtime/verify"},
    "runtime/backends/portable": OPS | {"runtime/kernels", "runtime/session"},
    "runtime/backends/xnnpack": OPS | {"runtime/session"},
    "runtime/api": OPS | {"runtime/plan", "runtime/verify", "runtime/session", "runtime/backends",
                          "runtime/include", "platform"},
    "runtime/tools": {"runtime/include", "runtime/core", "platform"},
    "runtime/include": set(),
    "platform": CORE | {"runtime/include"},
    "converter": {"platform", "schema", "runtime/core", "runtime/ops", "runtime/kernels", "runtime/plan", "runtime/verify",
                  "runtime/backends/portable", "runtime/backends/xnnpack"},
    # Runs plans (bisect) as any program does.
    "converter/cli": {"converter", "platform", "schema", "runtime/core", "runtime/ops", "runtime/plan", "runtime/verify",
                      "runtime/include", "runtime/tools"},
}
# The converter may ask backends what they can run and use portable kernels to fold, nothing else of them.
CONVERTER_BACKEND_HEADERS = {
    "runtime/backends/portable/portable_op.h", "runtime/backends/portable/support.h",
    "runtime/backends/xnnpack/support.h"}
# Headers that must not appear in anything that runs on a device.
FORBIDDEN_IN_RUNTIME = re.compile(r"^(iostream|sstream|fstream|google/protobuf/.*|absl/.*|CLI/.*|converter/.*)$")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)


def room_of(path):
    """The table's room that `path` lies in, or None."""
    rooms = [room for room in (*ALLOWED, "schema") if path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def problems_in(file, text):
    """Yields one sentence per wrong arrow of a file."""
    room = room_of(file)
    if room is None:
        yield f"{file} lies in a folder that the table does not know"
        return
    for include in INCLUDE.findall(text):
        target = "runtime/include/" + include if include.startswith("linnet/") else include
        if not room.startswith("converter") and FORBIDDEN_IN_RUNTIME.match(include):
            yield f"{file} includes {include}: not on a device"
        target_room = room_of(target)
        if target_room is None or target_room == room:
            continue
        if not any(target_room == allowed or target_room.startswith(allowed + "/")
                   for allowed in ALLOWED.get(room, set())):
            yield f"{file} includes {include}: {room} may not see {target_room}"
        elif (room == "converter" and target.startswith("runtime/backends/")
              and target not in CONVERTER_BACKEND_HEADERS):
            yield f"{file} includes {include}: only a backend's support.h and the portable op table"


def main():
    root = pathlib.Path(sys.argv[1])
    files = [f for top in ("runtime", "converter", "platform") for f in sorted((root / top).rglob("*"))
             if f.suffix in {".h", ".hpp", ".cc", ".c", ".def"}]
    found = [problem for file in files
             for problem in problems_in(file.relative_to(root).as_posix(), file.read_text())]
    print("\n".join(found) or f"{len(files)} files, every include follows the arrows")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
