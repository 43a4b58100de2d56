# SPDX-License-Identifier: Apache-2.0
"""The reference of the command lines: what `linnet --help`, `linnet SUBCOMMAND --help` and `linnet-run --help` print."""
import pathlib
import re
import subprocess

from pages import REFERENCE, Page
from reference import Writer
from render import highlighted

SUBCOMMAND = re.compile(r"^  ([a-z]+) {2,}[A-Z]", re.MULTILINE)


def printed(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True)
    if done.returncode or not done.stdout:
        raise ValueError(f"{program} {' '.join(words)}: exit {done.returncode}, {done.stderr.strip() or 'and it prints nothing'}")
    return done.stdout


class CommandReference:
    """`programs`: the folder with linnet and linnet-run."""

    def __init__(self, programs):
        programs = pathlib.Path(programs)
        missing = [name for name in ("linnet", "linnet-run") if not (programs / name).is_file()]
        if missing:
            raise ValueError("\n".join(f"there is no program {programs / name}" for name in missing))
        self.texts = {"linnet": printed(programs / "linnet", "--help")}
        for name in SUBCOMMAND.findall(self.texts["linnet"].partition("Subcommands:")[2]):
            self.texts[f"linnet {name}"] = printed(programs / "linnet", name, "--help")
        self.texts["linnet-run"] = printed(programs / "linnet-run", "--help")
        self.writer = Writer("reference/commands.html", "text")
        self.places = {name: f"{self.writer.url}#{name.replace(' ', '-')}" for name in self.texts}

    def page(self):
        page = Page(self.writer.url, "Command line reference", REFERENCE, label="Command lines", summary="What the programs' --help prints")
        write = self.writer
        write.begin(page)
        for name, text in self.texts.items():
            write.heading(2, name, write.id_of(name), True)
            write.add(highlighted(text.strip("\n") + "\n", "text"))
        return write.finish(page)
