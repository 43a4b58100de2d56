# SPDX-License-Identifier: Apache-2.0
"""Which pages there are, and what stands on each: discovered in the repository, so that a new README has its page."""
import dataclasses
import posixpath
import re

from document import Document, MARK
from links import target_of

# The sections of the root README that its own page keeps; every other section is a page of its own.
ON_HOME = ("Two commands", "How fast", "Map")
# Sections that belong to the guides, not to the first steps.
GUIDES = ("GPUs",)
SENTENCE = re.compile(r".*?(\.(?= [A-Z(]|$)|(?=[;:] ))|.*", re.DOTALL)
HOME, START, PATHS, GUIDE, REFERENCE, FOLDERS = "", "Start", "Embed it", "Guides", "Reference", "Folders"


@dataclasses.dataclass
class Part:
    """Tokens of one document that stand on a page. `shift` is added to the levels of its headings."""
    document: Document
    tokens: list
    first: int
    shift: int = 0
    cards: bool = False      # is a list of all paths to follow?


@dataclasses.dataclass
class Page:
    url: str
    title: str
    group: str
    parts: list = dataclasses.field(default_factory=list)
    label: str = ""          # in the navigation, where the title is too long
    summary: str = ""        # one sentence, for cards and lists
    html: str = ""           # of pages that are not made from Markdown
    headings: list = dataclasses.field(default_factory=list)  # (level, text, id) for the list at the side

    @property
    def files(self):
        return list(dict.fromkeys(part.document.file for part in self.parts))


def url_of(file):
    """The page of a Markdown file."""
    folder, name = posixpath.split(file)
    return posixpath.join(folder, "index.html" if name == "README.md" else name.removesuffix(".md") + ".html")


def phrase(title):
    """What follows the folder in a README's title: `platform/web: Linnet in browsers`."""
    return title.partition(": ")[2] or title


def paths_in(tokens):
    """The names of the paths that begin in these tokens."""
    return [value for token in tokens if token.type == "html_block" for mark, value in MARK.findall(token.content) if mark == "path"]


def first_sentence(tokens):
    """The first that does not only lead to what follows it, as plain text."""
    for before, token in zip(tokens, tokens[1:]):
        if before.type == "paragraph_open":
            text = "".join(" " if child.type == "softbreak" else child.content for child in token.children
                           if child.type in ("text", "code_inline", "softbreak"))
            sentence = SENTENCE.match(text)[0]
            if not sentence.endswith(":"):
                return sentence
    return ""


def linked_readme(document, tokens, documents):
    """The README of a folder of `platform` to which a section leads first, or None."""
    for token in tokens:
        for child in token.children or ():
            file, _ = target_of(document.file, child.attrGet("href") or "") if child.type == "link_open" else (None, None)
            if file in documents and file.startswith("platform/") and file.count("/") == 2 and file.endswith("/README.md"):
                return documents[file]
    return None


class Pages:
    """All pages made from Markdown, in the order of the navigation."""

    def __init__(self, repository):
        self.documents = {file: Document(file, repository.read(file)) for file in repository.markdown()}
        self.problems = []
        self._made = []  # the pages of paths
        self.all = [*self._readme(), *self._files()]

    def of_group(self, group):
        return [page for page in self.all if page.group == group]

    def _readme(self):
        readme = self.documents["README.md"]
        home = Page("index.html", readme.title, HOME)
        pages, seen = [home], []
        for heading, tokens, first in readme.sections(2):
            seen.append(heading.text if heading else None)
            if heading is None or heading.text in ON_HOME:
                home.parts.append(Part(readme, tokens, first))
            elif not paths_in(tokens):
                group = GUIDE if heading.text in GUIDES else START
                pages.append(self._section_page(readme, heading, tokens, first, f"{heading.anchor}.html", group))
            elif any(token.type == "heading_open" and token.tag == "h3" for token in tokens):
                pages += self._paths(home, tokens, first)
            else:
                pages.append(self._path(readme, heading, tokens, first))
        self.problems += [f"README.md: there is no section '{name}', which the home page wants" for name in (*ON_HOME, *GUIDES) if name not in seen]
        return pages

    def _section_page(self, document, heading, tokens, first, url, group):
        return Page(url, heading.text, group, [Part(document, tokens, first, 1 - heading.level)], summary=first_sentence(tokens))

    def _paths(self, home, tokens, first):
        """A page for each part of a section. What stands above them stays on the home page, with a list of all paths."""
        readme = self.documents["README.md"]
        starts = [i for i, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h3"]
        home.parts.append(Part(readme, tokens[:starts[0]], first, cards=True))
        for begin, end in zip(starts, [*starts[1:], len(tokens)]):
            yield self._path(readme, readme.heading_at(first + begin), tokens[begin:end], first + begin)

    def _path(self, readme, heading, tokens, first):
        """A path's page: its section, then the README of its folder."""
        page = self._section_page(readme, heading, tokens, first, f"paths/{heading.anchor}.html", PATHS)
        more = linked_readme(readme, tokens, self.documents)
        if more and not any(more is part.document for other in self._made for part in other.parts):
            page.parts.append(Part(more, more.tokens, 0, 1))
            page.summary = phrase(more.title)
        self._made.append(page)
        return page

    def _files(self):
        taken = {file for page in self._made for file in page.files} | {"README.md"}
        # Guides by their titles; those of the root, which most readers do not look for, at the end.
        for file, document in sorted(self.documents.items(), key=lambda named: ("/" not in named[0], named[1].title.lower())):
            if file in taken:
                continue
            folder, name = posixpath.split(file)
            page = Page(url_of(file), document.title, GUIDE, [Part(document, document.tokens, 0)],
                        summary=phrase(document.title))
            if folder == "runtime/include/linnet" and name == "README.md":
                page.group, page.label = REFERENCE, "Threads, errors, compatibility"
            elif name == "README.md":
                page.group, page.label = FOLDERS, folder
            yield page
