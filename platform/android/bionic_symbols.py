#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the table of the functions and variables that Android's C libraries export (bionic_symbols.txt), and writes it.

    bionic_symbols.py BIONIC >bionic_symbols.txt     BIONIC: a checkout of Android's repository platform/bionic

Each line of the table is `LIBRARY LEVEL ARCHITECTURES: NAME...`: since API level LEVEL the library has these names on these architectures.
Level 21, with which arm64 and x86_64 began, stands for all levels until then.
"""
import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).resolve().parent / "bionic_symbols.txt"
ARCHITECTURES = ("arm", "arm64", "x86", "x86_64")
OLDEST = 21
MOST_COLUMNS = 150
# Not part of bionic. <android/log.h> has these since before level 21.
LOG = {"__android_log_assert", "__android_log_print", "__android_log_vprint", "__android_log_write"}
LEVELS_BY_LETTER = {"N": 24, "O": 26, "OMR1": 27, "P": 28, "Q": 29, "R": 30, "S": 31, "T": 33, "U": 34, "V": 35}


def read_table(path=TABLE):
    """Returns {library: {architecture: {name: level}}}."""
    table = {}
    for line in path.read_text().splitlines():
        if line.startswith("#") or not line:
            continue
        head, names = line.split(": ")
        library, level, architectures = head.split()
        for architecture in ARCHITECTURES if architectures == "all" else architectures.split(","):
            table.setdefault(library, {}).setdefault(architecture, {}).update((name, int(level)) for name in names.split())
    return table


def levels(tags, default):
    """{architecture: level} of a symbol with these tags of a map, or of one with none and `default`."""
    found = dict(default)
    only = {tag for tag in tags if tag in (*ARCHITECTURES, "riscv64")}
    if only:
        found = {architecture: level for architecture, level in found.items() if architecture in only}
    for tag in tags:
        matched = re.fullmatch(r"introduced(?:-(\w+))?=(\d+)", tag)
        for architecture in found if matched else ():
            if matched[1] in (None, architecture):
                found[architecture] = int(matched[2])
    return found


def read_map(text):
    """Yields (name, {architecture: level}) of a bionic map: what applications may use."""
    version, public, hidden = {}, False, False
    for line in text.splitlines():
        code, _, comment = (part.strip() for part in line.partition("#"))
        tags = comment.split()
        if code.endswith("{"):
            name = code.split()[0]
            hidden = name.endswith(("PRIVATE", "PLATFORM", "DEPRECATED"))
            named = name.partition("_")[2]
            level = int(named) if named.isdigit() else LEVELS_BY_LETTER.get(named, OLDEST)
            if any(tag.startswith("introduced-") for tag in tags):
                level = OLDEST  # on architectures that no tag names, the names are older than the version
            version = levels(tags, dict.fromkeys(ARCHITECTURES, level))
        elif code in ("global:", "local:"):
            public = code == "global:"
        elif code.endswith(";") and not code.startswith("}") and public and not hidden:
            if not {"apex", "llndk", "platform-only"} & set(tags):
                yield code[:-1], levels(tags, version)


def lines(library, symbols):
    """The table's lines of a library with these (name, {architecture: level})."""
    groups = {}
    for name, by_architecture in symbols:
        by_level = {}
        for architecture, level in by_architecture.items():
            by_level.setdefault(max(level, OLDEST), []).append(architecture)
        for level, architectures in by_level.items():
            groups.setdefault((level, tuple(architectures)), set()).add(name)
    for (level, architectures), names in sorted(groups.items()):
        head = f"{library} {level} {'all' if architectures == ARCHITECTURES else ','.join(architectures)}:"
        line = head
        for name in sorted(names):
            if len(line) + len(name) >= MOST_COLUMNS:
                yield line
                line = head
            line += f" {name}"
        yield line


def main(bionic):
    print("# SPDX-License-Identifier: Apache-2.0")
    print("# Which names Android's C libraries have since which API level, as the maps libc/libc.map.txt, libm/libm.map.txt and")
    print("# libdl/libdl.map.txt of Android's repository platform/bionic say; those of liblog are in <android/log.h>. Made by bionic_symbols.py.")
    for library in ("libc", "libm", "libdl"):
        text = (bionic / library / f"{library}.map.txt").read_text()
        print(*lines(library, read_map(text)), sep="\n")
    print(*lines("liblog", ((name, dict.fromkeys(ARCHITECTURES, OLDEST)) for name in LOG)), sep="\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
