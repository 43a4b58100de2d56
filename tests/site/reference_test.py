#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The references of the documentation site have everything that the headers and the Python module have. What there is, is found
here in other ways than the generator finds it: by how lines of the headers are written."""
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "site"))
import build
from c_reference import CppReference, CReference
from check import Reader
from command_reference import CommandReference
from python_reference import PythonReference
from repository import Repository

INCLUDE = "runtime/include/linnet"
FUNCTION = re.compile(r"LINNET_API[^;]*?\b(linnet_\w+)\(")
FORMER = re.compile(r"^LINNET_FORMER_NAME\(linnet_\w+\)\n.*?\b(linnet_\w+)\(", re.MULTILINE)
VALUE = re.compile(r"^\s*(LINNET_\w+)\s*=\s*\d|[{,]\s*(LINNET_\w+)\s*=\s*\d", re.MULTILINE)
TYPE = re.compile(r"^(?:typedef [^;(]*?|\} )(linnet_\w+);", re.MULTILINE)
CONSTANT = re.compile(r"^#define (LINNET_\w+) \d+$", re.MULTILINE)
CLASS = re.compile(r"^(?:class|struct) (\w+) \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
METHOD = re.compile(r"^  (?!return\b|explicit\b|friend\b)(?:[\w:<>,*&]+ )+[*&]?(\w+)\(", re.MULTILINE)
FREE = re.compile(r"^(?:inline|constexpr) (?:[\w:<>,*&]+ )+[*&]?(\w+)\(", re.MULTILINE)
ALIAS = re.compile(r"^using (\w+) =", re.MULTILINE)
ENTRY = re.compile(r'<section class="entry">(.*?)</section>', re.DOTALL)


def text_of(*names):
    return "\n".join((ROOT / INCLUDE / name).read_text() for name in names)


class CTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.reference = CReference(ROOT, (ROOT / INCLUDE / "README.md").read_text())
        cls.page = cls.reference.page()
        cls.ids = Reader(cls.page.html).ids
        cls.header = text_of("linnet.h", "types.h", "deprecated.h")

    def test_everything_is_there(self):
        for kind, least, pattern in (("function", 50, FUNCTION), ("former name", 20, FORMER), ("value", 40, VALUE), ("type", 20, TYPE), ("constant", 4, CONSTANT)):
            names = {next(filter(None, found.groups())) for found in pattern.finditer(self.header)}
            self.assertGreaterEqual(len(names), least, f"{kind}: linnet.h is written in a way that this test does not understand")
            self.assertEqual(names - self.ids, set(), kind)
            self.assertEqual(names - self.reference.places.keys(), set(), f"{kind} that nothing can lead to")

    def test_functions_have_contracts(self):
        entries = ENTRY.findall(self.page.html)
        for name in FUNCTION.findall(self.header):
            entry = next(entry for entry in entries if f'id="{name}"' in entry)
            self.assertIn("\n<p>", entry, f"{name} has no comment in linnet.h")
            self.assertIn('<p class="facts">Threads: ', entry, name)

    def test_texts_stand_where_they_belong(self):
        wait = next(entry for entry in ENTRY.findall(self.page.html) if 'id="linnet_session_wait"' in entry)
        self.assertIn("at most <code>timeout_ns</code> nanoseconds", wait)
        self.assertIn('href="#LINNET_TIMEOUT"', wait)
        self.assertIn("those of a run, <code>TIMEOUT</code>", wait)
        self.assertNotIn("Starts a run", wait)
        error = next(entry for entry in ENTRY.findall(self.page.html) if 'id="linnet_error"' in entry)
        self.assertIn('<tr id="linnet_error.step">', error)
        self.assertIn("index of the plan's step that failed, -1 if none did", error)


class CppTest(unittest.TestCase):
    def test_everything_is_there(self):
        reference = CppReference(ROOT, {})
        ids = Reader(reference.page().html).ids
        text = text_of("linnet.hpp", "open_options.hpp", "session_options.hpp", "result.hpp", "span.hpp")
        names = {*FREE.findall(text), *ALIAS.findall(text)}
        for owner, body in CLASS.findall(text):
            names |= {owner, *(f"{owner}::{name}" for name in METHOD.findall(body.split("\n private:\n")[0]) if name != owner)}
        self.assertLessEqual({"Session::Run", "Holds", "Memory", "Result::error", "Plan::OpenReader"}, names)
        self.assertEqual(names - ids, set())
        self.assertNotIn("Session::ErrorOf", ids, "private")


class PythonTest(unittest.TestCase):
    def test_everything_is_there(self):
        reference = PythonReference(Repository(ROOT))
        page = reference.page()
        ids = Reader(page.html).ids
        exported = re.search(r"__all__ = \[(.*?)\]", (ROOT / "platform/python/linnet/__init__.py").read_text(), re.DOTALL)[1]
        self.assertEqual(set(re.findall(r'"(\w+)"', exported)) - ids, set())
        stub = (ROOT / "platform/python/linnet/_runtime.pyi").read_text()
        for owner, body in re.findall(r"^class (\w+).*?:\n(.*?)(?=^\S|\Z)", stub, re.MULTILINE | re.DOTALL):
            names = {f"{owner}.{name}" for name in re.findall(r"^    def ([a-z]\w*)\(", body, re.MULTILINE)}
            self.assertEqual(names - ids, set(), owner)
        flags = re.findall(r"^\s+.*?(\w+): ", re.search(r"^def convert\((.*?)\) ->", (ROOT / "platform/python/linnet/_convert.py").read_text(),
                                                       re.MULTILINE | re.DOTALL)[1], re.MULTILINE)
        for flag in flags:
            self.assertIn(f"{flag}: ", re.sub("<[^>]*>", "", page.html))


class CommandTest(unittest.TestCase):
    """Programs that say what they were asked."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.put("linnet", "case $* in --help) printf 'Subcommands:\\n  convert   Turn <it>\\n  inspect   Show\\n\\n';; *) echo \"said: $*\";; esac")
        self.put("linnet-run", 'echo "run: $*"')

    def put(self, name, script):
        file = self.folder / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def test_every_subcommand(self):
        page = CommandReference(self.folder).page()
        self.assertEqual([text for level, text, _ in page.headings if level == 2], ["linnet", "linnet convert", "linnet inspect", "linnet-run"])
        for text in ("Turn &lt;it&gt;", "said: convert --help", "said: inspect --help", "run: --help"):
            self.assertIn(text, page.html)

    def test_programs_that_fail(self):
        self.put("linnet-run", "echo no >&2; exit 3")
        with self.assertRaisesRegex(ValueError, "linnet-run --help: exit 3, no"):
            CommandReference(self.folder)
        self.put("linnet-run", "true")
        with self.assertRaisesRegex(ValueError, "prints nothing"):
            CommandReference(self.folder)


class ChangedHeaderTest(unittest.TestCase):
    """A copy of the repository's headers, with changes."""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.root = pathlib.Path(self.scratch.name)
        shutil.copytree(ROOT / INCLUDE, self.root / INCLUDE)

    def change(self, before, after):
        file = self.root / INCLUDE / "linnet.h"
        text = file.read_text()
        self.assertEqual(text.count(before), 1)
        file.write_text(text.replace(before, after))

    def test_a_new_function(self):
        self.change("/* Waits for the submitted run,", "/* Is `it` new?\n *\n *   linnet_new(session, LINNET_NEW);\n */\n"
                    "LINNET_API int linnet_new(\n    linnet_session* session, int /* why */ it); /* behind */\n\n/* Waits for the submitted run,")
        reference = CReference(self.root, "| `linnet_new` | any | `IO` |\n")
        entry = next(entry for entry in ENTRY.findall(reference.page().html) if 'id="linnet_new"' in entry)
        plain = re.sub("<[^>]*>", "", entry)
        self.assertIn("int linnet_new(linnet_session* session, int it);  // behind", plain)
        self.assertIn("Is it new?", plain)
        self.assertIn("linnet_new(session, LINNET_NEW);", plain)
        self.assertIn("Threads: any. Errors besides INVALID_ARGUMENT: IO.", plain)

    def test_a_header_that_does_not_compile(self):
        self.change("LINNET_API void linnet_session_reset(linnet_session* session);", "LINNET_API void linnet_session_reset(linnet_sessoin* session);\nint 7;")
        (self.root / "README.md").write_text("# x\n")
        told, wrong = build.make(self.root, self.root / "site")
        self.assertEqual(told, "")
        self.assertTrue(any("linnet_sessoin" in problem for problem in wrong), wrong)
        self.assertTrue(any("expected identifier" in problem for problem in wrong), wrong)


if __name__ == "__main__":
    unittest.main()
