#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the corpus' models by state, and those that do not match yet by what they need, as corpus/states.json says.

  corpus_summary.py            the tables in corpus/README.md must say the same
  corpus_summary.py --update   writes them there
"""

import collections
import json
import pathlib
import sys
import zipfile

DIR = pathlib.Path(__file__).resolve().parent / "corpus"
README = DIR / "README.md"
BEGIN, END = "<!-- begin of what corpus_summary.py writes -->\n", "<!-- end of what corpus_summary.py writes -->\n"
COLUMNS = ("match", "refused", "not yet", "wrong")


def main():
    states = json.loads((DIR / "states.json").read_text())
    topics = {file.stem: names_of(file) for file in sorted(DIR.glob("*.zip"))}
    unknown = set(states) - {name for names in topics.values() for name in names}
    if unknown:
        sys.exit(f"states.json has rows of models that are in no zip: {', '.join(sorted(unknown))}")
    text = README.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    wanted = text[:begin] + by_topic(topics, states) + "\n" + by_need(states) + text[end:]
    if "--update" in sys.argv:
        README.write_text(wanted)
    elif wanted != text:
        sys.exit(f"{README} differs from states.json; run {pathlib.Path(__file__).name} --update")


def names_of(file):
    with zipfile.ZipFile(file) as packed:
        return [row["name"] for row in json.loads(packed.read("models.json"))]


def by_topic(topics, states):
    lines = ["| topic | models | match | refused rightly | not yet | wrong | rate |", "|---|---|---|---|---|---|---|"]
    whole = collections.Counter()
    for topic, names in topics.items():
        counts = collections.Counter(states.get(name, {"state": "match"})["state"] for name in names)
        whole += counts
        lines.append(line(topic, counts))
    return "\n".join([*lines, line("**all**", whole)]) + "\n"


def line(topic, counts):
    rate = 100 * (counts["match"] + counts["refused"]) / counts.total()
    return f"| {topic} | {counts.total()} | {' | '.join(str(counts[column]) for column in COLUMNS)} | {rate:.1f} % |"


def by_need(states):
    waiting = collections.defaultdict(list)
    for row in states.values():
        if row["state"] == "not yet":
            waiting[row["feature"]].append(row["needs"])
    lines = ["| what models wait for | models | what is refused now |", "|---|---|---|"]
    for feature, needs in sorted(waiting.items(), key=lambda item: (-len(item[1]), item[0])):
        ops = collections.Counter(op for row in needs for op in row if op.isidentifier())
        named = ", ".join(f"{op} {count}" if count > 1 else op for op,
                          count in sorted(ops.items(), key=lambda item: (-item[1], item[0])))
        lines.append(f"| {feature} | {len(needs)} | {named} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
