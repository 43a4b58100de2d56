# SPDX-License-Identifier: Apache-2.0
"""A Markdown file: its headings with the anchors that GitHub gives them, its parts, its blocks of code."""
import dataclasses
import re

from markdown_it import MarkdownIt

COMMENT = re.compile(r"\A\s*(<!--.*?-->\s*)+\Z", re.DOTALL)
MARK = re.compile(r"<!-- ([a-z-]+): (.*?) -->")


def parser():
    """CommonMark with tables and crossed-out text, as GitHub reads it."""
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


@dataclasses.dataclass
class Heading:
    level: int
    text: str
    anchor: str
    line: int
    index: int  # of its first token


@dataclasses.dataclass
class Block:
    """A fenced block of code, with the marks (`<!-- path: web -->`) on the lines before it."""
    file: str
    line: int
    language: str
    code: str
    marks: dict

    @property
    def place(self):
        return f"{self.file}:{self.line}"


class Document:
    """A file that was parsed. `tokens` are markdown-it's; the line of a token is that in the file, from 1."""

    def __init__(self, file, text):
        self.file = file
        self.tokens = parser().parse(text)
        self.headings = list(self._headings())

    def _headings(self):
        taken = {}
        for index, token in enumerate(self.tokens):
            if token.type != "heading_open":
                continue
            text = plain(self.tokens[index + 1])
            anchor = slug(text)
            count = taken.get(anchor, 0)
            taken[anchor] = count + 1
            yield Heading(int(token.tag[1:]), text, f"{anchor}-{count}" if count else anchor, token.map[0] + 1, index)

    @property
    def title(self):
        return self.headings[0].text if self.headings else self.file

    def heading_at(self, index):
        return next(heading for heading in self.headings if heading.index == index)

    def sections(self, level):
        """(heading or None, tokens, first index) of what stands before the first heading of `level` or above it and of each
        section that begins with one of `level`. Sections above `level` are not divided."""
        starts = [heading for heading in self.headings if heading.level == level]
        bounds = [(None, 0), *((heading, heading.index) for heading in starts)]
        for (heading, begin), end in zip(bounds, [*(start for _, start in bounds[1:]), len(self.tokens)]):
            yield heading, self.tokens[begin:end], begin

    def blocks(self):
        """Every fenced block; one that is indented would have neither a language nor marks."""
        return list(blocks_of(self.file, self.tokens))


def blocks_of(file, tokens):
    marks = {}
    for token in tokens:
        if token.type == "html_block":
            marks |= dict(MARK.findall(token.content))
        elif token.type in ("fence", "code_block"):
            yield Block(file, token.map[0] + 1, token.info.strip(), token.content, marks)
            marks = {}
        elif token.type.endswith("_open") or token.type == "inline":
            marks = {}


def plain(inline):
    """The text of an inline token, without its marks."""
    return "".join(child.content for child in inline.children if child.type in ("text", "code_inline")).strip()


def slug(text):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def is_comment(html):
    return COMMENT.match(html) is not None
