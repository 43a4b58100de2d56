# SPDX-License-Identifier: Apache-2.0
"""The files that a site is made from: those that belong to the repository."""
import pathlib
import posixpath
import re
import subprocess

BUILT = {"build", "__pycache__", "node_modules"}


class Repository:
    """Files and folders by their paths from the root, as `runtime/README.md`."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        self.files = sorted(self._listed())
        self.folders = {parent for file in self.files for parent in parents_of(file)}

    def _listed(self):
        """What git knows or would take, and without git (an unpacked archive) everything but what was built."""
        listed = subprocess.run(["git", "-C", self.root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "."],
                                capture_output=True, text=True)
        if listed.returncode == 0:
            return {name for name in listed.stdout.split("\0") if name and (self.root / name).is_file()}
        return {path.relative_to(self.root).as_posix() for path in self.root.rglob("*")
                if path.is_file() and not any(part in BUILT or part.startswith(".") for part in path.relative_to(self.root).parts)}

    def read(self, file):
        return (self.root / file).read_text(encoding="utf-8")

    def has(self, file):
        return file in self._names

    @property
    def _names(self):
        if not hasattr(self, "_set"):
            self._set = set(self.files)
        return self._set

    def children(self, folder):
        """Names in a folder: first the folders, which end in a slash."""
        start = folder + "/" if folder else ""
        names = {file[len(start):].partition("/") for file in self.files if file.startswith(start)}
        return sorted({name + slash for name, slash, _ in names}, key=lambda name: (not name.endswith("/"), name))

    def markdown(self):
        return [file for file in self.files if file.endswith(".md")]

    def version(self):
        """That of the library, as linnet.h defines it."""
        numbers = re.findall(r"^#define LINNET_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", self.read("runtime/include/linnet/linnet.h"), re.MULTILINE)
        return ".".join(numbers)


def parents_of(file):
    while file:
        file = posixpath.dirname(file)
        yield file
