#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where a translator has a function of its own that is called like one which a header of converter/legalize
declares, or like one of another file beside it. Presets compile several files as one, in groups that change whenever a
file is added: an overload that only one file means would then be chosen in another, without a word of the compiler."""
import collections
import pathlib
import re
import sys

FUNCTION = re.compile(r"^(?!\s|return|using|namespace|class|struct|else|case|typedef|template|#|//|\})"
                      r"[\w:<>,*&\[\]. ]+?[ *&](\w+)\(")


def functions(path):
    """The functions of a file that stand in a namespace, with whether it is one without a name."""
    own = False
    for line in path.read_text().splitlines():
        if line.startswith("namespace"):
            own = line == "namespace {"
        elif line == "}  // namespace":
            own = False
        elif found := FUNCTION.match(line):
            yield found[1], own


def problems(folder):
    """Yields one sentence per name that means two functions."""
    shared = collections.defaultdict(set)
    for header in folder.rglob("*.h"):
        for name, _ in functions(header):
            shared[name].add(header.relative_to(folder))
    owners = collections.defaultdict(set)
    for source in folder.rglob("*.cc"):
        for name, own in functions(source):
            if own:
                owners[source.parent, name].add(source.relative_to(folder))
    if not shared or not owners:
        yield f"{folder}: no functions found"
    for (_, name), sources in sorted(owners.items()):
        texts = sorted(map(str, sources))
        if name in shared:
            yield f"{', '.join(texts)}: {name} is called like a function of {', '.join(sorted(map(str, shared[name])))}"
        if len(texts) > 1:
            yield f"{' and '.join(texts)} have a function {name} each"


def main():
    found = list(problems(pathlib.Path(sys.argv[1]) / "converter/legalize"))
    print("\n".join(found) or "every name of a function in converter/legalize means one function")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
