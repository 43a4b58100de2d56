#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dependencies point one way: reads every #include line and fails on one that the design does not allow, and on
files of more than 400 lines.

The table ALLOWED lists for each room (folder) the rooms that it may include from; itself is always allowed. A row lists
no room that nothing in its own room includes. No room may include itself through others. A file belongs to the room with the longest matching path in the table. Each folder of
the converter has its own row; a backend has one row for all its folders.
"""
import pathlib
import re
import sys

CORE = {"schema", "runtime/core"}
OPS = {"runtime/core", "runtime/ops"}
GRAPH = {"converter/graph", "converter/graph/tensorflow"}
TF_PASS = GRAPH | {"converter/functions", "converter/pass"}
LEGALIZE = {"runtime/ops", "converter/graph", "converter/legalize/context"}
ALLOWED = {
    "runtime/core": {"schema"},
    "runtime/plan": CORE,
    "runtime/kernels": {"runtime/core"},
    "runtime/ops": CORE,
    "runtime/strips": OPS,
    "runtime/verify": OPS | {"runtime/plan", "runtime/strips"},
    "runtime/threads": {"runtime/core"},
    "runtime/session": OPS | {"runtime/plan", "runtime/strips", "runtime/threads", "runtime/verify"},
    "runtime/backends": set(),
    "runtime/backends/portable": OPS | {"runtime/kernels", "runtime/session", "runtime/strips", "runtime/threads"},
    "runtime/backends/vulkan": OPS | {"runtime/session", "runtime/threads"},
    "runtime/backends/xnnpack": OPS | {"runtime/session"},
    "runtime/api": {"runtime/core", "runtime/plan", "runtime/threads", "runtime/verify", "runtime/session",
                    "runtime/backends", "runtime/include", "platform"},
    "runtime/tools": {"runtime/include", "runtime/core", "runtime/ops", "platform"},
    "runtime/include": set(),
    "platform": {"runtime/core"},
    # The converter: each room includes only from rooms before it.
    "converter/graph/tensorflow": CORE,
    "converter/graph": CORE | {"runtime/ops", "converter/graph/tensorflow"},
    "converter/graph/text": GRAPH | {"runtime/core"},
    "converter/import": CORE | GRAPH | {"platform"},
    "converter/import/checkpoint": GRAPH | {"schema", "converter/import"},
    "converter/functions": GRAPH | {"converter/import"},
    "converter/resources": GRAPH | {"schema", "converter/import", "converter/import/checkpoint", "converter/functions"},
    "converter/pass": {"runtime/core", "converter/graph", "runtime/backends/portable"},
    "converter/tf_passes": OPS | TF_PASS | {"converter/import"},
    "converter/tf_passes/control_flow": TF_PASS,
    "converter/tf_passes/variables": TF_PASS | {"converter/resources", "converter/tf_passes/control_flow"},
    "converter/legalize/extents": {"runtime/ops", "converter/graph", "converter/pass"},
    "converter/legalize/context": OPS | GRAPH | {"converter/pass", "converter/resources", "converter/legalize/extents"},
    "converter/legalize/lists": {"runtime/ops", "converter/legalize/context"},
    "converter/legalize/control_flow": LEGALIZE | {"runtime/plan", "converter/functions", "converter/legalize/extents",
                                                   "converter/legalize/lists"},
    "converter/legalize/ops": LEGALIZE | {"runtime/core", "converter/graph/tensorflow"},
    "converter/legalize": LEGALIZE | {"runtime/core", "converter/graph/tensorflow", "converter/functions", "converter/pass",
                                      "converter/resources", "converter/legalize/lists",
                                      "converter/legalize/control_flow"},
    "converter/optimize": OPS | {"converter/graph", "converter/pass"},
    "converter/place": GRAPH | {"runtime/core", "runtime/ops", "converter/import", "runtime/backends/portable",
                                "runtime/backends/vulkan", "runtime/backends/xnnpack"},
    "converter/plan/planner": {"runtime/core"},
    "converter/plan": CORE | {"runtime/ops", "converter/graph", "runtime/plan", "runtime/strips", "runtime/verify", "platform",
                              "converter/import", "converter/place", "converter/plan/planner"},
    "converter/report": OPS | GRAPH | {"runtime/plan", "runtime/backends/portable", "runtime/backends/xnnpack",
                                       "converter/graph/text", "converter/import", "converter/place", "converter/plan"},
    # Of backends, the lists of their ops.
    "converter/embed": {"runtime/core", "runtime/ops", "runtime/plan", "runtime/backends", "runtime/backends/vulkan",
                        "runtime/backends/xnnpack"},
    # The conversion as a whole.
    "converter": {"runtime/core", "converter/graph", "platform", "converter/graph/text", "converter/import",
                  "converter/resources", "converter/pass", "converter/tf_passes", "converter/optimize", "converter/place",
                  "converter/plan", "converter/report"},
    # `linnet bisect` runs plans through the public API, as other programs do.
    "converter/cli": OPS | GRAPH | {"platform", "runtime/plan", "runtime/verify", "runtime/include", "runtime/tools",
                                    "converter", "converter/embed", "converter/import", "converter/legalize", "converter/pass",
                                    "converter/plan",
                                    "converter/report", "converter/resources"},
    "platform/web": {"runtime/include"},
    "platform/freestanding": {"runtime/include"},
    # Java's functions run plans through the public API.
    "platform/android": {"runtime/include"},
    "platform/apple": {"runtime/include"},
    # The Python package is a program too: it runs plans through the public API, and converts as `linnet convert` does.
    "platform/python": {"runtime/include", "runtime/core", "converter/cli", "converter/report"},
}
# Rooms of which none stands for those inside it, and whose files are not code for devices.
ROOMS_APART = ("converter", "platform/python")
# Of backends the converter may use only the question what they can run, lists of them and of their ops, and portable kernels to
# fold constants.
CONVERTER_BACKEND_HEADERS = {
    "runtime/backends/backends.def", "runtime/backends/vulkan/lowerings.def", "runtime/backends/xnnpack/lowerings.def",
    "runtime/backends/portable/portable_op.h", "runtime/backends/portable/support.h",
    "runtime/backends/vulkan/support.h", "runtime/backends/xnnpack/support.h"}
# Headers that code for devices must not include.
FORBIDDEN_IN_RUNTIME = re.compile(r"^(iostream|sstream|fstream|google/protobuf/.*|absl/.*|CLI/.*|converter/.*)$")
MOST_LINES = 400
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)


def room_of(path):
    """The room of the table to which `path` belongs, or None."""
    rooms = [room for room in (*ALLOWED, "schema") if path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def sees_through(allowed, target):
    """Does allowing `allowed` allow `target`? A room of the converter does not stand for the rooms inside it, nor `platform` for
    the Python package."""
    return target == allowed or (not target.startswith(ROOMS_APART) and target.startswith(allowed + "/"))


def sees(room, target):
    """May `room` include from `target`?"""
    return any(sees_through(allowed, target) for allowed in ALLOWED.get(room, set()))


def circles():
    """Yields one sentence per room that includes itself through others."""
    for room in ALLOWED:
        reached, ahead = set(), [room]
        while ahead:
            here = ahead.pop()
            found = {other for other in ALLOWED if other != here and sees(here, other)} - reached
            reached |= found
            ahead.extend(found)
        if room in reached:
            yield f"{room} includes itself through other rooms"


def unused(used):
    """Yields one sentence per room that a row allows although no include needs it."""
    for room, allowed in ALLOWED.items():
        for target in sorted(allowed):
            if not any(by == room and sees_through(target, seen) for by, seen in used):
                yield f"{room} may see {target}, but includes nothing of it: take it from the table"


def problems_in(file, text, used):
    """Yields one sentence per forbidden #include of a file, and one for a file that is too long. Adds (room, room that it
    includes from) to `used`."""
    lines = text.count("\n")
    if lines > MOST_LINES:
        yield f"{file} has {lines} lines, want at most {MOST_LINES}: split it by what it holds"
    room = room_of(file)
    folder = file.rpartition("/")[0]
    if room is None or (room.startswith("converter") and room != folder):
        yield f"{file} lies in a folder that the table does not know"
        return
    for include in INCLUDE.findall(text):
        target = "runtime/include/" + include if include.startswith("linnet/") else include
        if not room.startswith(ROOMS_APART) and FORBIDDEN_IN_RUNTIME.match(include):
            yield f"{file} includes {include}: not on a device"
        target_room = room_of(target)
        if target_room is None or target_room == room:
            continue
        used.add((room, target_room))
        if not sees(room, target_room):
            yield f"{file} includes {include}: {room} may not see {target_room}"
        elif (room.startswith("converter") and target.startswith("runtime/backends/")
              and target not in CONVERTER_BACKEND_HEADERS):
            yield f"{file} includes {include}: only a backend's support.h, lists, and the portable op table"


def main():
    root = pathlib.Path(sys.argv[1])
    files = [f for top in ("runtime", "converter", "platform") for f in sorted((root / top).rglob("*"))
             if f.suffix in {".h", ".hpp", ".cc", ".c", ".def"}]
    used = set()
    found = [*circles(), *(problem for file in files
                           for problem in problems_in(file.relative_to(root).as_posix(), file.read_text(), used))]
    found += unused(used)
    print("\n".join(found) or f"{len(files)} files, every include follows the arrows")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
