# SPDX-License-Identifier: Apache-2.0
"""Where the links of Markdown files lead: to pages, to their anchors, to sources, to folders, to pictures."""
import posixpath
import re
import urllib.parse

EXTERNAL = re.compile(r"^(https?|mailto):")
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp")
LINE = re.compile(r"^L(\d+)(-L(\d+))?$")


def target_of(file, href):
    """(file or folder, anchor) that a link in `file` means; (None, "") for other sites. The folder of the root is ""."""
    if EXTERNAL.match(href):
        return None, ""
    path, _, anchor = urllib.parse.unquote(href).partition("#")
    if not path:
        return file, anchor
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
    return "" if joined == "." else joined, anchor


def relative(from_url, to_url):
    """How a page names another one, so that it works without a server."""
    page, sharp, anchor = to_url.partition("#")
    if page == from_url:
        return sharp + anchor if anchor else posixpath.basename(page)
    return posixpath.relpath(page, posixpath.dirname(from_url) or ".") + sharp + anchor


class Links:
    """Resolves links. Collects what is wrong with them, and the sources, folders and pictures that need a page or a copy."""

    def __init__(self, repository):
        self.repository = repository
        self.problems = []
        self.sources, self.folders, self.pictures = set(), set(), set()
        self.anchors = {}       # (Markdown file, anchor) -> URL
        self.pages = {}         # Markdown file -> URL
        self.second_halves = {}  # page -> URL of the second document on it
        self.external = set()

    def add_page(self, file, url):
        self.pages.setdefault(file, url)

    def add_anchor(self, file, anchor, url):
        self.anchors[file, anchor] = url

    def _wrong(self, file, line, href, reason):
        self.problems.append(f"{file}:{line}: link '{href}': {reason}")

    def url(self, file, line, href):
        """The URL in the site of a link that stands in `file`; the link itself for another site, or where it is broken."""
        target, anchor = target_of(file, href)
        if target is None:
            self.external.add(href)
            return href
        if target == ".." or target.startswith(("../", "/")):
            self._wrong(file, line, href, "it leads out of the repository")
        elif target in self.repository.folders and f"{target}/README.md".lstrip("/") in self.pages and not anchor:
            return self.pages[f"{target}/README.md".lstrip("/")]
        elif target in self.repository.folders:
            if anchor:
                self._wrong(file, line, href, "a folder has no anchors")
            self.folders.add(target)
            return posixpath.join(target, "index.html")
        elif not self.repository.has(target):
            self._wrong(file, line, href, f"there is no file {target}")
        elif target in self.pages:
            return self._anchored(file, line, href, target, anchor)
        else:
            return self._source(file, line, href, target, anchor)
        return href

    def _anchored(self, file, line, href, target, anchor):
        if anchor and (target, anchor) not in self.anchors:
            self._wrong(file, line, href, f"{target} has no heading '#{anchor}'")
        return self.anchors.get((target, anchor), self.pages[target])

    def _source(self, file, line, href, target, anchor):
        if target.lower().endswith(PICTURES):
            self.pictures.add(target)
            return target
        self.sources.add(target)
        if anchor:
            match = LINE.match(anchor)
            last = int(match[3] or match[1]) if match else 0
            if not match or last > self.repository.read(target).count("\n"):
                self._wrong(file, line, href, f"{target} has no line '{anchor}'")
            anchor = anchor.partition("-")[0]
        return f"{target}.html" + (f"#{anchor}" if anchor else "")

    def picture(self, file, line, href):
        """The URL of a picture, which must be a file of the repository: the site needs no network."""
        target, _ = target_of(file, href)
        if target is None:
            self._wrong(file, line, href, "a picture of another site, which the site would need a network for")
        elif not self.repository.has(target):
            self._wrong(file, line, href, f"there is no file {target}")
        else:
            self.pictures.add(target)
            return target
        return href
