#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the documentation site of a repository, and checks it. Nothing is written where something is wrong.

    build.py REPOSITORY FOLDER [PROGRAMS]     PROGRAMS: where linnet and linnet-run are, for the reference of their command lines
"""
import json
import pathlib
import shutil
import sys
import tempfile

import jinja2

import blocks
import check
import navigation
from c_reference import README, CppReference, CReference
from command_reference import CommandReference
from document import Block
from links import Links, relative
from pages import PATHS, REFERENCE, Pages
from python_reference import FOLDER, PythonReference
from render import Renderer
from repository import Repository
from source_reference import source_references
from sources import folder_page, source_page

THEME = pathlib.Path(__file__).resolve().parent / "theme"
ASSETS = ("site.css", "site.js", "icon.svg")


class Site:
    """Everything that is known before files are written."""

    def __init__(self, root, programs=None):
        self.programs = programs
        self.templates = jinja2.Environment(loader=jinja2.FileSystemLoader(THEME), autoescape=True, trim_blocks=True, lstrip_blocks=True,
                                            undefined=jinja2.StrictUndefined)
        self.repository = Repository(root)
        self.content = Pages(self.repository)
        self.pages = list(self.content.all)
        self.symbols = {}
        self.links = Links(self.repository)
        self.renderer = Renderer(self.links, self.symbols)
        self._references()
        self._render()

    def _references(self):
        """Pages of what the repository has; their symbols are known before anything is rendered."""
        made = []
        if self.repository.has(README):
            c = CReference(self.repository.root, self.repository.read(README))
            cpp = CppReference(self.repository.root, c.places)
            made += [c, cpp]
        if self.repository.has(f"{FOLDER}/__init__.py"):
            made.append(PythonReference(self.repository))
        if self.programs:
            made.append(CommandReference(self.programs))
        self.references = made
        for reference in made:
            # `Plan` alone is a name of several languages.
            self.symbols.update((name, url) for name, url in reference.places.items() if name.lower().startswith("linnet"))
        at = next((i for i, page in enumerate(self.pages) if page.group == REFERENCE), len(self.pages))
        self.pages[at:at] = [*(reference.page() for reference in made), *source_references(self.repository)]

    def _render(self):
        self.renderer.anchor_headings(self.pages)
        self.renderer.proofs = {(block.file, block.line): blocks.proof_of(block) for block in self.blocks()}
        for page in self.pages:
            page.html = page.html or "".join(self._part(page, part) for part in page.parts)
        urls = dict(self.links.pages)
        for file, url in self.links.pages.items():
            if file.endswith("README.md"):
                urls[file.rpartition("/")[0]] = url
        urls |= {folder: f"{folder}/index.html" for folder in self.links.folders} | {file: f"{file}.html" for file in self.links.sources}
        self.extra = [source_page(self.repository, file) for file in sorted(self.links.sources)]
        self.extra += [folder_page(self.repository, folder, urls) for folder in sorted(self.links.folders)]

    def _part(self, page, part):
        text = self.renderer.part(page, part)
        if part.cards:
            paths = [path for path in self.pages if path.group == PATHS]
            text += self.templates.get_template("cards.html").render(paths=paths, url=lambda to: relative(page.url, to))
        return text

    def blocks(self):
        """Every block of code on the pages: those of Markdown files, and the examples in comments and docstrings."""
        found = [block for document in self.content.documents.values() for block in document.blocks()]
        for reference in self.references:
            for file, code in reference.writer.examples:
                line = self.repository.read(file)[:max(0, self.repository.read(file).find(code.splitlines()[0].strip()))].count("\n") + 1
                found.append(Block(file, line, reference.writer.language, code, dict(blocks.EXAMPLES.get(file, {}))))
        return found

    def problems(self):
        return [*self.content.problems, *self.renderer.problems, *self.links.problems, *blocks.problems(self.repository, self.blocks())]

    def write(self, folder):
        template = self.templates.get_template("page.html")
        groups = list(navigation.groups(self.pages))
        for page in [*self.pages, *self.extra]:
            before, after = navigation.neighbours(self.pages, page)
            text = template.render(page=page, groups=groups, before=before, after=after, version=self.repository.version(),
                                   url=lambda to, here=page.url: relative(here, to))
            file = folder / page.url
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        for picture in sorted(self.links.pictures):
            (folder / picture).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.repository.root / picture, folder / picture)
        (folder / "assets").mkdir()
        for asset in ASSETS:
            shutil.copyfile(THEME / asset, folder / "assets" / asset)
        rows = navigation.search_index(self.pages, self.symbols)
        (folder / "assets/search.js").write_text(f"const SEARCH = {json.dumps(rows, ensure_ascii=False, separators=(',', ':'))};\n",
                                                 encoding="utf-8")


def put_in_place(made, folder):
    """Replaces a former site."""
    if folder.exists():
        former = made.with_name(made.name + ".former")
        folder.rename(former)
        made.rename(folder)
        shutil.rmtree(former)
    else:
        made.rename(folder)


def make(root, folder, programs=None):
    """Makes the site of a repository in a folder that is new, empty or has a former site, with the help of programs if they are given. Returns what to tell of it, and a list
    of everything that is wrong; then the folder is as it was."""
    folder = pathlib.Path(folder).resolve()
    if folder.exists() and not (folder.is_dir() and (not any(folder.iterdir()) or (folder / "assets/site.css").exists())):
        return "", [f"{folder} is there and is no site; name a folder that is new or empty"]
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        site = Site(root, programs)
    except (SyntaxError, ValueError) as wrong:  # a header or a Python file that cannot be read
        return "", str(wrong).splitlines()
    made = pathlib.Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        made.chmod(0o755)
        site.write(made)
        wrong = site.problems() or list(check.problems(made))
        if not wrong:
            put_in_place(made, folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    pages = len(site.pages) + len(site.extra)
    without = "" if programs else ", without a reference of the command lines"
    elsewhere = f" but {len(site.links.external)} to other sites" if site.links.external else ""
    return f"{folder}/index.html: {pages} pages{without}, every link checked{elsewhere}", wrong


def main(root, folder, programs=None):
    told, wrong = make(root, folder, programs)
    if wrong:
        sys.exit("\n".join(wrong) + f"\n{len(wrong)} problems; no site was written")
    print(told)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
