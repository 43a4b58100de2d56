# SPDX-License-Identifier: Apache-2.0
"""Markdown to HTML, with the site's links and anchors."""
import copy
import html
import re

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from document import is_comment, parser
from links import EXTERNAL, relative
from pages import phrase

LEXERS = {"sh": "bash", "js": "javascript", "ts": "typescript", "kt": "kotlin"}
PLAIN = ("", "text", "console")
DRAWN = re.compile("[\u2500-\u257f]")  # lines that must touch


def highlighted(code, language):
    """HTML of a block of code."""
    try:
        lexer = None if language in PLAIN else get_lexer_by_name(LEXERS.get(language, language))
    except ClassNotFound:
        lexer = None
    body = highlight(code, lexer, HtmlFormatter(nowrap=True)) if lexer else html.escape(code, quote=False)
    kind = "code diagram" if DRAWN.search(code) else "code"
    return f'<pre class="{kind}" data-language="{html.escape(language)}" tabindex="0"><code>{body}</code></pre>\n'


class Renderer:
    """Renders the parts of pages. `symbols` maps names that references have to their URLs."""

    def __init__(self, links, symbols):
        self.links = links
        self.symbols = symbols
        self.parser = parser()
        self.problems = []
        self.proofs = {}  # (file, line) of a block of code -> what proves it

    def anchor_headings(self, pages):
        """Gives the headings of all pages their anchors, before anything is rendered that may lead to them."""
        for page in pages:
            taken = set()
            for part in page.parts:
                headings = [part.document.heading_at(part.first + i) for i, token in enumerate(part.tokens) if token.type == "heading_open"]
                if part.first == 0:
                    self.links.add_page(part.document.file, page.url)
                for heading in headings:
                    anchor, number = heading.anchor, 1
                    while anchor in taken:
                        number += 1
                        anchor = f"{heading.anchor}-{number}"
                    taken.add(anchor)
                    self.links.add_anchor(part.document.file, heading.anchor, f"{page.url}#{anchor}")
                    second = part is not page.parts[0] and heading is headings[0] and heading.level == 1
                    if second:
                        self.links.second_halves[page.url] = f"{page.url}#{anchor}"
                    page.headings.append((max(1, heading.level + part.shift), phrase(heading.text) if second else heading.text, anchor))

    def part(self, page, part):
        tokens = copy.deepcopy(part.tokens)
        file = part.document.file
        for index, token in enumerate(tokens):
            if token.type in ("heading_open", "heading_close"):
                level = max(1, int(token.tag[1:]) + part.shift)
                token.tag = f"h{min(level, 6)}"
                if token.type == "heading_open":
                    anchor = self.links.anchors[file, part.document.heading_at(part.first + index).anchor].partition("#")[2]
                    token.attrSet("id", anchor)
                    tokens[index + 1].meta["anchor"] = anchor
                    if f"{page.url}#{anchor}" == self.links.second_halves.get(page.url):  # the title of the second half, without its folder
                        first = tokens[index + 1].children[0]
                        first.content = phrase(first.content)
            elif token.type == "inline":
                self._inline(page.url, file, token)
            elif token.type == "html_block":
                if not is_comment(token.content):
                    self.problems.append(f"{file}:{token.map[0] + 1}: HTML that is no comment; a README is Markdown")
                token.content = ""
        return self._html(file, tokens)

    def _inline(self, url, file, token):
        line = token.map[0] + 1
        within_link = False
        heading = "anchor" in token.meta
        for child in token.children:
            if child.type in ("softbreak", "hardbreak"):
                line += 1
            elif child.type == "link_open":
                within_link = True
                target = self.links.url(file, line, child.attrGet("href"))
                if EXTERNAL.match(target):
                    child.attrSet("rel", "noreferrer")
                    child.attrSet("class", "external")
                if target == url:  # a page of two documents: to the other one's part
                    target = self.links.second_halves.get(url, url)
                child.attrSet("href", relative(url, target) if not EXTERNAL.match(target) else target)
            elif child.type == "link_close":
                within_link = False
            elif child.type == "image":
                child.attrSet("src", relative(url, self.links.picture(file, line, child.attrGet("src"))))
            elif child.type == "html_inline":
                if not is_comment(child.content):
                    self.problems.append(f"{file}:{line}: HTML that is no comment; a README is Markdown")
                child.content = ""
            elif child.type == "code_inline" and not within_link and not heading:
                # `linnet` alone is the name of everything.
                symbol = child.content != "linnet" and self.symbols.get(re.sub(r"(\(\)| --help)$", "", child.content))
                if symbol:
                    child.type, child.content = "html_inline", f'<a class="symbol" href="{relative(url, symbol)}"><code>{html.escape(child.content)}</code></a>'

    def caption(self, file, token):
        """What proves a block of code, for readers."""
        proof = self.proofs.get((file, token.map[0] + 1))
        if not proof or not proof.text:
            return ""
        kind = "unproved" if proof.kind == "not-run" else "proved"
        text = re.sub("`([^`]+)`", r"<code>\1</code>", html.escape(proof.text, quote=False))
        return f'<p class="proof {kind}">{text}</p>\n'

    def _html(self, file, tokens):
        """markdown-it's renderer, but for code, tables, which scroll on narrow screens, and headings, which show their anchor."""
        pieces, rest = [], []
        for token in tokens:
            if token.type == "fence" or token.type == "code_block":
                pieces += [self._plain(rest), highlighted(token.content, token.info.strip()), self.caption(file, token)]
                rest = []
            elif token.type == "table_open":
                pieces += [self._plain(rest), '<div class="table" tabindex="0">']
                rest = [token]
            elif token.type == "table_close":
                pieces += [self._plain([*rest, token]), "</div>\n"]
                rest = []
            elif token.type == "inline" and "anchor" in token.meta:
                pieces += [self._plain([*rest, token]), f' <a class="anchor" href="#{token.meta["anchor"]}" aria-label="Link to this section">#</a>']
                rest = []
            else:
                rest.append(token)
        return "".join(pieces) + self._plain(rest)

    def _plain(self, tokens):
        return self.parser.renderer.render(tokens, self.parser.options, {})
