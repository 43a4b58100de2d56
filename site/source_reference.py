# SPDX-License-Identifier: Apache-2.0
"""References of the languages whose sources have doc comments of their own: these sources, as far as they are public."""
import html
import posixpath
import re

from pygments import highlight
from pygments.formatters import HtmlFormatter

from pages import REFERENCE, Page
from sources import lexer_of

# language -> a file, or a folder of whose files those are shown that declare something public; where there is such a thing.
LANGUAGES = {"Java and Kotlin": "platform/android/java/linnet/android", "JavaScript": "platform/web/linnet.d.ts", "Swift": "platform/apple/Linnet"}
PUBLIC = re.compile(r"^\s*(public|open|export)\b", re.MULTILINE)
LICENCE = re.compile(r"\A(//|/\*) SPDX-License-Identifier: .*\n")


def public_files(repository, place):
    files = [place] if repository.has(place) else [file for file in repository.files if posixpath.dirname(file) == place]
    return [file for file in files if PUBLIC.search(repository.read(file))]


def source_references(repository):
    """A page for each language of which the repository has public sources."""
    for language, place in LANGUAGES.items():
        files = public_files(repository, place)
        if not files:
            continue
        name = re.sub(r"\W+", "-", language.lower())
        page = Page(f"reference/{name}.html", f"{language} reference", REFERENCE, label=language, summary=f"The public sources of {place}")
        page.headings = [(1, page.title, "")]
        pieces = [f"<h1>{page.title}</h1>\n<p>These are the public sources in <code>{place}</code>; their comments say what each declaration does.</p>\n"]
        for file in files:
            anchor = posixpath.basename(file)
            page.headings.append((2, anchor, anchor))
            code = highlight(LICENCE.sub("", repository.read(file)), lexer_of(file), HtmlFormatter(nowrap=True))
            pieces.append(f'<h2 id="{anchor}"><code>{anchor}</code> <a class="anchor" href="#{anchor}" aria-label="Link to this section">#</a></h2>\n'
                          f'<pre class="code" data-language="{html.escape(anchor.rpartition(".")[2])}" tabindex="0"><code>{code}</code></pre>\n')
        page.html = "".join(pieces)
        yield page
