# SPDX-License-Identifier: Apache-2.0
"""HTML of references: declarations in their code, the text of comments, tables of members. Names lead to where they are declared."""
import html
import re
import textwrap

from links import relative
from render import highlighted

WIDTH = 88
NAME = re.compile(r"~?[A-Za-z_]\w*(?:(?:::|\.)[A-Za-z_]\w*)*")
# In a sentence `Plan` may be a word; these cannot.
TECHNICAL = re.compile(r".*(_|::|\.|[a-z][A-Z]).*")


def escape(text):
    return html.escape(text, quote=False)


class Writer:
    """Collects the HTML of one reference, its headings, and where its symbols are."""

    def __init__(self, url, language):
        self.url, self.language = url, language
        self.html, self.headings, self.ids, self.symbols = [], [], set(), {}
        self.known = {}  # names that may be linked: symbol -> URL
        self.source, self.examples = "", []  # the file whose text is being written; (file, code) of the examples in comments

    def add(self, text):
        self.html.append(text)

    def begin(self, page):
        self.add(f"<h1>{page.title}</h1>\n")

    def finish(self, page):
        page.html, page.headings = "".join(self.html), [(1, page.title, ""), *self.headings]
        return page

    def id_of(self, name):
        """A new id for a name; overloads get numbers."""
        name = re.sub(r"\s", "-", name)
        anchor, number = name, 1
        while anchor in self.ids:
            number += 1
            anchor = f"{name}-{number}"
        self.ids.add(anchor)
        return anchor

    def heading(self, level, text, anchor, symbol=False):
        self.headings.append((level, text, anchor))
        shown = f"<code>{escape(text)}</code>" if symbol else escape(text)
        self.add(f'<h{level} id="{html.escape(anchor)}">{shown} <a class="anchor" href="#{html.escape(anchor)}" aria-label="Link to this">#</a></h{level}>\n')

    def linked(self, escaped, code=False, here=()):
        """HTML in which known names outside of tags lead to their declarations. `here`: names that need no link."""
        def link(match):
            name = match[0]
            url = self.known.get(name)
            if not url or name in here or not (code or TECHNICAL.match(name)):
                return name
            return f'<a class="symbol" href="{relative(self.url, url)}">{name}</a>'
        return "".join(piece if piece.startswith("<") else NAME.sub(link, piece) for piece in re.split(r"(<[^>]*>|&\w+;)", escaped))

    def code(self, declarations, here=()):
        """A block with declarations, each (id or None, code, note)."""
        lines = []
        for anchor, code, note in declarations:
            text = self.linked(highlighted_line(wrapped(code), self.language), True, here)
            if note:
                text += f'  <span class="c1">{self.linked(escape(self.comment(note)), False, here)}</span>'
            lines.append(f'<span id="{html.escape(anchor)}">{text}</span>' if anchor else text)
        self.add('<pre class="code"><code>' + "\n".join(lines) + "</code></pre>\n")

    def comment(self, note):
        return f"{'#' if self.language == 'python' else '//'} {' '.join(note.split())}"

    def prose(self, text, here=()):
        """Paragraphs of a comment; indented ones are code."""
        for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
            lines = paragraph.split("\n")
            if paragraph.strip() and all(line.startswith("  ") for line in lines):
                code = textwrap.dedent(paragraph) + "\n"
                self.examples.append((self.source, code))
                self.add(highlighted(code, self.language))
            elif paragraph.strip():
                self.add(f"<p>{self.inline(paragraph, here)}</p>\n")

    def inline(self, text, here=()):
        escaped = escape(" ".join(text.split()))
        return self.linked(re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped), False, here)

    def members(self, members, owner, title):
        """A table of fields or values. Values of enumerations are symbols, fields are not."""
        if not members:
            return
        self.add(f'<div class="table members" tabindex="0"><table><thead><tr><th>{title}</th><th></th></tr></thead><tbody>\n')
        for member in members:
            anchor = self.id_of(f"{owner}.{member.name}" if owner else member.name)
            code = self.linked(highlighted_line(member.code, self.language), True, (member.name,))
            self.add(f'<tr id="{anchor}"><td><code>{code}</code></td><td>{self.inline(member.text)}</td></tr>\n')
        self.add("</tbody></table></div>\n")


def highlighted_line(code, language):
    return re.search(r"<code>(.*)</code>", highlighted(code, language), re.DOTALL)[1].rstrip("\n")


def wrapped(code):
    """A long declaration with one argument on each line."""
    if len(code) <= WIDTH or "(" not in code:
        return code
    start, depth, pieces, at = code.index("("), 0, [], 0
    if code.startswith("template") and (close := matching(code, code.index("<"))):
        start = code.index("(", close)
    at = start + 1
    for index in range(start, len(code)):
        depth += {"(": 1, "<": 1, "[": 1, "{": 1, ")": -1, ">": -1, "]": -1, "}": -1}.get(code[index], 0) if code[index - 1:index + 1] != "->" else 0
        if depth == 1 and code[index] == ",":
            pieces.append(code[at:index + 1].strip())
            at = index + 1
        elif depth == 0:
            pieces.append(code[at:index].strip())
            return code[:start + 1] + "\n    " + "\n    ".join(pieces) + code[index:]
    return code


def matching(code, start):
    """Where the angle bracket at `start` is closed."""
    depth = 0
    for index in range(start, len(code)):
        depth += {"<": 1, ">": -1}.get(code[index], 0) if code[index - 1:index + 1] != "->" else 0
        if depth == 0:
            return index
    return 0
