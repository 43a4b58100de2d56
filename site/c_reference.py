# SPDX-License-Identifier: Apache-2.0
"""The references of C and C++, made from the public headers; of C with the table of threads and errors in their README."""
import re

from headers import Header
from pages import REFERENCE, Page
from reference import Writer

FOLDER = "runtime/include/linnet"
README = f"{FOLDER}/README.md"
# The headers in the order of the page, each with the title of what stands before its first section.
C = {"linnet/linnet.h": "The library", "linnet/types.h": "Types", "linnet/deprecated.h": "Former names"}
CPP = {"linnet/linnet.hpp": "Functions and names", "linnet/open_options.hpp": "", "linnet/session_options.hpp": "", "linnet/span.hpp": "", "linnet/result.hpp": ""}
MOST_NAMES = 4  # in a heading
ROW = re.compile(r"^\|( `linnet_[^|]+)\|([^|]+)\|([^|]*)\|", re.MULTILINE)


def facts_of(text):
    """function -> (threads, errors), of the table in the README."""
    return {name: (threads.strip(), errors.strip()) for names, threads, errors in ROW.findall(text) for name in re.findall(r"`(\w+)`", names)}


def names_of(entry):
    return list(dict.fromkeys(found.name for found in entry.declarations if found.name))


class CReference:
    """Pages are written in two steps: first every symbol gets its place, so that names can lead everywhere."""

    def __init__(self, root, readme):
        self.headers = {file: Header(root, file, "c") for file in C}
        self.facts = facts_of(readme)
        self.writer = Writer("reference/c.html", "c")
        self.places = {}
        for header in self.headers.values():
            for section in header.sections:
                for entry in section.parts:
                    if not isinstance(entry, str):
                        self._place(entry)

    def _place(self, entry):
        for found in entry.declarations:
            if found.name:
                self.places[found.name] = f"{self.writer.url}#{found.name}"
            names = [member.name if found.kind == "enum" else f"{found.name}.{member.name}" for member in found.members]
            self.places.update((name, f"{self.writer.url}#{name}") for name in names)

    def page(self):
        page = Page(self.writer.url, "C reference", REFERENCE, label="C", summary="Every function and type of linnet.h")
        write = self.writer
        write.known = self.places
        write.begin(page)
        write.source = f"{FOLDER}/linnet.h"
        write.prose(self.headers["linnet/linnet.h"].intro)
        for file, header in self.headers.items():
            write.source = f"runtime/include/{file}"
            for section in header.sections:
                title = section.title or C[file]
                write.heading(2, title, write.id_of(re.sub(r"\W+", "-", title.lower())))
                if file != "linnet/linnet.h" and not section.title:
                    write.prose(header.intro)
                for part in section.parts:
                    write.prose(part) if isinstance(part, str) else self._entry(part)
        return write.finish(page)

    def _entry(self, entry):
        write, names = self.writer, names_of(entry)
        title = ", ".join(names) or entry.declarations[0].heading or entry.declarations[0].members[0].name
        first = names[0] if names else title
        write.add('<section class="entry">\n')
        if len(names) <= MOST_NAMES:
            write.heading(3, title, write.id_of(first), bool(names))
        write.code([(None if found.name in write.ids else write.id_of(found.name), f"{found.code};" if found.kind in ("function", "alias") else found.code,
                     found.note) for found in entry.declarations if found.name], names)
        write.prose(entry.text, names)
        for found in entry.declarations:
            write.members(found.members, "" if found.kind == "enum" else found.name, "value" if found.kind == "enum" else "member")
        facts = {self.facts[name] for name in names if name in self.facts}
        for threads, errors in sorted(facts):
            # A class of threads is explained at the head of the README's table.
            more = f" Errors besides <code>INVALID_ARGUMENT</code>: {write.inline(errors)}." if errors else ""
            write.add(f'<p class="facts">Threads: <a href="../runtime/include/linnet/index.html#threads">{threads}</a>.{more}</p>\n')
        write.add("</section>\n")


class CppReference:
    def __init__(self, root, places):
        self.headers = {file: Header(root, file, "c++") for file in CPP}
        self.writer = Writer("reference/cpp.html", "cpp")
        self.c_places = places
        self.places, self.own = {}, {}
        for entry in self._entries():
            for found in entry.declarations:
                self._place(found)

    def _entries(self):
        for header in self.headers.values():
            for section in header.sections:
                yield from (part for part in section.parts if not isinstance(part, str))

    def _place(self, found):
        self.own[found.name] = f"{self.writer.url}#{found.name}"
        self.places[f"linnet::{found.name}"] = self.own[found.name]
        for inner in [*found.members, *(inner for entry in found.entries for inner in entry.declarations)]:
            if inner.name != found.name:
                separator = "." if inner in found.members else "::"
                self.own[f"{found.name}::{inner.name}"] = f"{self.writer.url}#{found.name}{separator}{inner.name}"
        self.places.update((f"linnet::{name}", url) for name, url in self.own.items())

    def page(self):
        page = Page(self.writer.url, "C++ reference", REFERENCE, label="C++", summary="Every class and function of linnet.hpp")
        write = self.writer
        write.known = {**self.c_places, **self.own}
        write.begin(page)
        write.source = f"{FOLDER}/linnet.hpp"
        write.prose(self.headers["linnet/linnet.hpp"].intro)
        title = CPP["linnet/linnet.hpp"]
        write.heading(2, title, write.id_of(re.sub(r"\W+", "-", title.lower())))
        classes = []
        for entry in self._entries():
            if entry.declarations[0].kind in ("class", "struct"):
                classes.append(entry)
            else:
                self._entry(entry, "")
        for entry in classes:
            self._class(entry)
        return write.finish(page)

    def _class(self, entry):
        found = entry.declarations[0]
        write = self.writer
        write.heading(2, found.name, write.id_of(found.name), True)
        write.code([(None, found.code, found.note)], (found.name,))
        write.prose(entry.text, (found.name,))
        write.members(found.members, found.name, "member")
        for inner in found.entries:
            self._entry(inner, found.name)

    def _entry(self, entry, owner):
        write = self.writer
        write.add('<section class="entry">\n')
        write.code([(write.id_of(f"{owner}::{found.name}" if owner else found.name), f"{found.code};", found.note) for found in entry.declarations],
                   (owner, *names_of(entry)))
        write.prose(entry.text)
        write.add("</section>\n")
