# SPDX-License-Identifier: Apache-2.0
"""Checks a finished site as a browser would meet it: every link, anchor and picture of every page, and that nothing comes from
another site."""
import html.parser
import pathlib
import posixpath
import urllib.parse

FETCHED = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}


class Reader(html.parser.HTMLParser):
    """The ids of a page and what it refers to: (line, tag, attribute, value)."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.twice, self.references, self.title = set(), [], [], False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.title |= tag == "title"
        for name, value in attrs:
            if name == "id":
                if value in self.ids:
                    self.twice.append((self.getpos()[0], value))
                self.ids.add(value)
            elif name in ("href", "src"):
                self.references.append((self.getpos()[0], tag, name, value or ""))


def problems(folder):
    """One sentence for everything that is wrong in the site in `folder`, each with its page and line."""
    root = pathlib.Path(folder)
    files = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    pages = {name: Reader((root / name).read_text(encoding="utf-8")) for name in sorted(files) if name.endswith(".html")}
    reached = {"index.html"}
    for name, page in pages.items():
        for line, value in page.twice:
            yield f"{name}:{line}: two elements have the id '{value}'"
        if not page.title:
            yield f"{name}:1: the page has no title"
        for line, tag, attribute, value in page.references:
            target, reason = _resolve(name, tag, attribute, value, files, pages)
            reached.add(target)
            if reason:
                yield f"{name}:{line}: {attribute} '{value}': {reason}"
    for name in sorted(pages.keys() - reached):
        yield f"{name}:1: no page leads here"


def _resolve(name, tag, attribute, value, files, pages):
    """(the file that is meant, what is wrong or None)."""
    parts = urllib.parse.urlsplit(value)
    if parts.scheme or parts.netloc:
        return None, "it comes from another site" if (tag, attribute) in FETCHED else None
    path = urllib.parse.unquote(parts.path)
    target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
    if target not in files:
        return target, f"the site has no file {target}"
    if parts.fragment and (target not in pages or urllib.parse.unquote(parts.fragment) not in pages[target].ids):
        return target, f"{target} has no element '{parts.fragment}'"
    return target, None
