# SPDX-License-Identifier: Apache-2.0
"""Pages of what is no Markdown: sources that a link leads to, and folders without a README."""
import html
import posixpath

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound

from links import relative
from pages import Page

MOST_BYTES = 200_000  # of a source that is shown


def lexer_of(file):
    # Lists of macros, which Pygments does not know.
    name = {".def": "x.h", ".hpp": "x.cc"}.get(posixpath.splitext(file)[1], posixpath.basename(file))
    try:
        return get_lexer_for_filename(name, stripnl=False)
    except ClassNotFound:
        return TextLexer(stripnl=False)


def source_page(repository, file):
    """A page that shows a file, with an anchor for each line: #L7."""
    page = Page(f"{file}.html", file, "", label=posixpath.basename(file))
    if (repository.root / file).stat().st_size > MOST_BYTES:
        page.html = "<p>This file is too long to be shown here.</p>"
        return page
    lines = highlight(repository.read(file), lexer_of(file), HtmlFormatter(nowrap=True)).splitlines()
    numbered = "\n".join(f'<span id="L{number}" class="line">{line}</span>' for number, line in enumerate(lines, 1))
    page.html = f'<pre class="code source" tabindex="0"><code>{numbered}\n</code></pre>\n'
    return page


def folder_page(repository, folder, urls):
    """A page that lists a folder. `urls` has the pages that exist, of files and folders."""
    page = Page(posixpath.join(folder, "index.html"), folder, "")
    rows = []
    for name in repository.children(folder):
        path = posixpath.join(folder, name.rstrip("/"))
        url = urls.get(path)
        text = f"<code>{html.escape(name)}</code>"
        rows.append(f'<li><a href="{relative(page.url, url)}">{text}</a></li>' if url else f"<li>{text}</li>")
    page.html = f'<ul class="files">{"".join(rows)}</ul>\n'
    return page
