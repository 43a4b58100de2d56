# SPDX-License-Identifier: Apache-2.0
"""Which functions Apple's systems have since which version, by darwin_symbols.txt."""
import functools
import pathlib
import re

TABLE = pathlib.Path(__file__).with_suffix(".txt")
SYSTEMS = ("macos", "ios")


def version(text):
    """As (15, 0)."""
    major, _, minor = text.partition(".")
    return int(major), int(minor or 0)


def plain(symbol):
    """Without what a header appends for a variant of the function, as $INODE64."""
    return re.sub(r"\$[A-Z0-9_$]+$", "", symbol)


@functools.cache
def read_table():
    """{symbol: (library, {system: first version; None for all})}"""
    table = {}
    for line in TABLE.read_text().splitlines():
        if line.startswith("#"):
            continue
        library, symbol, *versions = line.split()
        since = {system: None if text == "-" else version(text) for system, text in zip(SYSTEMS, versions, strict=True)}
        table[symbol] = library, since
    return table


def problems(undefined, system, minimum, may_be_unknown=False):
    """Yields one sentence per symbol that the system does not have since version `minimum`, as far as the table knows."""
    table = read_table()
    for symbol in sorted(undefined):
        if plain(symbol) not in table:
            if not may_be_unknown:
                yield f"uses {symbol}, which {TABLE.name} does not list"
            continue
        since = table[plain(symbol)][1][system]
        if since is not None and since > version(minimum):
            yield f"uses {symbol}, which {system} has since {'.'.join(map(str, since))} only, want {minimum}"


def needs_cxx(undefined):
    return any(read_table().get(symbol, ("",))[0] == "libc++" for symbol in undefined)
