#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The generator of the documentation site, on small repositories: right ones, and ones in which something is wrong."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "site"))
import build
import check

README = """# Linnet
A text with `code`.

## Two commands
<!-- not-run: it is only an example -->
```sh
true
```

## Quick start
Begin here. Then go on.

## Embed
Each is a path.

### Browser
<!-- path: web -->
```sh
./build.sh
```
More [stands there](platform/web/README.md#the-end), and [here](#how-fast).

### C and C++
<!-- path: c -->
```sh
true
```

## GPUs
One sentence.

## How fast
![a picture](pictures/one.png)

## Map
[schema](schema), [the tests](tests), [line two](tests/a.cc#L2), [a guide](docs/guide.md), [far away](https://example.org/)
"""
FILES = {
    "README.md": README,
    "platform/web/README.md": "# platform/web: Linnet in browsers\nText.\n\n## The end\nText.\n\n## Embed\nTwice: [up](#the-end).\n",
    "schema/README.md": "# schema: the format\n[back](../README.md#quick-start)\n",
    "docs/guide.md": "# A guide\n[home](../README.md), [web](../platform/web/README.md), [the tests](../tests)\n",
    "platform/web/linnet.d.ts": "// SPDX-License-Identifier: Apache-2.0\n/** It runs. */\nexport function run(): void;\n",
    "platform/android/java/linnet/android/Inner.java": "class Inner {}\n",
    "tests/a.cc": "int a;\nint b;\n",
    "pictures/one.png": "not really",
    "runtime/include/linnet/linnet.h": "#define LINNET_VERSION_MAJOR 4\n#define LINNET_VERSION_MINOR 5\n#define LINNET_VERSION_PATCH 6\n",
}


class GeneratorTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.root = pathlib.Path(self.scratch.name, "repository")
        self.site = pathlib.Path(self.scratch.name, "site")
        for name, text in FILES.items():
            self.put(name, text)

    def put(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def make(self):
        return build.make(self.root, self.site)[1]

    def page(self, url):
        return (self.site / url).read_text()

    def expect(self, *wanted):
        """Nothing is written, and the problems are these; each begins as it is given."""
        found = self.make()
        self.assertEqual(len(found), len(wanted), found)
        for problem, text in zip(sorted(found), sorted(wanted)):
            self.assertTrue(problem.startswith(text), f"{problem}: want {text}")
        self.assertFalse(self.site.exists())

    def test_pages(self):
        self.assertEqual(self.make(), [])
        self.assertIn("4.5.6", self.page("index.html"))
        self.assertIn('href="paths/browser.html"><strong>Browser</strong><span>Linnet in browsers', self.page("index.html"))
        web = self.page("paths/browser.html")
        self.assertIn("./build.sh", web)
        self.assertIn('">Linnet in browsers <a class="anchor"', web, "without the name of the folder")
        self.assertIn('Executed as it stands by <code>toolchains/platforms.sh web</code>', web)
        self.assertIn('Not run by a test: it is only an example', self.page("index.html"))
        self.assertIn('<h3 id="the-end">', web, "the README of the folder is the second half of the page")
        self.assertIn('href="#the-end"', web)
        self.assertIn('href="../index.html#how-fast"', web)
        self.assertIn('href="../quick-start.html"', self.page("schema/index.html").replace("#quick-start", ""))
        self.assertIn('href="../paths/browser.html"', self.page("docs/guide.html"))
        self.assertIn('href="../paths/c-and-c.html"', self.page("docs/guide.html"), "each page leads to all others")

    def test_sources_and_folders(self):
        self.assertEqual(self.make(), [])
        self.assertIn('href="tests/a.cc.html#L2"', self.page("index.html"))
        self.assertIn('id="L2"', self.page("tests/a.cc.html"))
        self.assertIn('href="a.cc.html"', self.page("tests/index.html"))
        self.assertIn('href="schema/index.html"', self.page("index.html"))

    def test_public_sources_are_references(self):
        self.assertEqual(self.make(), [])
        page = self.page("reference/javascript.html")
        self.assertIn("/** It runs. */", page)
        self.assertNotIn("SPDX", page)
        self.assertFalse((self.site / "reference/java-and-kotlin.html").exists(), "it has nothing public")

    def test_pictures_are_copied(self):
        self.assertEqual(self.make(), [])
        self.assertEqual(self.page("pictures/one.png"), "not really")

    def test_every_broken_link_is_listed(self):
        self.put("docs/guide.md", "# A guide\n[one](none.md)\nand [two](../README.md#nowhere),\n[three](../tests/a.cc#L3)\n\n"
                                  "- [four](../../outside)\n- ![five](none.png)\n- ![six](https://example.org/a.png)\n- [seven](#nothing)\n"
                                  "- [eight](../tests#x)\n")
        self.expect("docs/guide.md:2: link 'none.md': there is no file docs/none.md",
                    "docs/guide.md:3: link '../README.md#nowhere': README.md has no heading '#nowhere'",
                    "docs/guide.md:4: link '../tests/a.cc#L3': tests/a.cc has no line 'L3'",
                    "docs/guide.md:6: link '../../outside': it leads out of the repository",
                    "docs/guide.md:7: link 'none.png': there is no file docs/none.png",
                    "docs/guide.md:8: link 'https://example.org/a.png': a picture of another site",
                    "docs/guide.md:9: link '#nothing': docs/guide.md has no heading '#nothing'",
                    "docs/guide.md:10: link '../tests#x': a folder has no anchors")

    def test_html_and_missing_sections(self):
        self.put("README.md", README.replace("## How fast", "## How slow").replace("A text", "A <b>text</b>").replace("#how-fast", "#map").replace("<!-- not-run: it is only an example -->\n", ""))
        self.expect("README.md: there is no section 'How fast'", "README.md:5: nothing proves", "README.md:2: HTML that is no comment", "README.md:2: HTML that is no comment")

    def test_a_former_site_stays_and_is_replaced(self):
        self.assertEqual(self.make(), [])
        self.put("docs/guide.md", "# New\n[broken](none)\n")
        self.assertNotEqual(self.make(), [])
        self.assertIn("A guide", self.page("docs/guide.html"))
        self.put("docs/guide.md", "# New\n")
        self.put("docs/other.md", "# Other\n")
        self.assertEqual(self.make(), [])
        self.assertIn("New", self.page("docs/guide.html"))
        self.assertEqual(sorted(path.name for path in self.site.parent.iterdir()), ["repository", "site"])

    def test_another_folder_is_not_replaced(self):
        self.site.mkdir()
        (self.site / "mine.txt").write_text("mine")
        self.assertRegex(self.make()[0], "is there and is no site")
        self.assertEqual((self.site / "mine.txt").read_text(), "mine")

    def test_finished_pages_are_checked(self):
        self.assertEqual(self.make(), [])
        self.assertEqual(list(check.problems(self.site)), [])
        (self.site / "alone.html").write_text('<title>x</title><a href="index.html#x">\n<p id="a"><p id="a"><img src="none.png">'
                                              '<script src="https://example.org/a.js"></script>')
        (self.site / "docs/guide.html").unlink()
        found = "\n".join(check.problems(self.site))
        for wanted in ("alone.html:1: href 'index.html#x': index.html has no element 'x'", "alone.html:2: two elements have the id 'a'",
                       "alone.html:2: src 'none.png': the site has no file none.png", "alone.html:2: src 'https://example.org/a.js': it comes from",
                       "alone.html:1: no page leads here", "index.html:", "the site has no file docs/guide.html"):
            self.assertIn(wanted, found)


if __name__ == "__main__":
    unittest.main()
