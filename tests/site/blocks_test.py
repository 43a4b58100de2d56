#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every block of code on the documentation site has a proof (site/blocks.py): compiles those in C and C++, prints which others are
executed by which test, and which are not executed at all, with the reason.

    blocks_test.py [C_COMPILER CXX_COMPILER]
"""
import collections
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "site"))
import blocks
from build import Site
from document import Document
from repository import Repository

COMPILERS = {"c": "cc", "cpp": "c++"}
OPTIONS = {"c": ["-x", "c", "-std=c99"], "cpp": ["-x", "c++", "-std=c++17"]}


def compile_block(block, given):
    """What the compiler says of a block, with the page's lines; "" when it compiles. `given`: the file that includes it, or ""."""
    with tempfile.TemporaryDirectory() as scratch:
        code = pathlib.Path(scratch, "block")
        first = block.line + (1 if block.file.endswith(".md") else 0)
        code.write_text(f'#line {first} "{block.file}"\n{block.code}')
        source = ROOT / blocks.GIVEN / given if given else code
        done = subprocess.run([COMPILERS[block.language], *OPTIONS[block.language], "-fsyntax-only", "-Wall", "-Werror", f"-I{ROOT / 'runtime/include'}",
                               f'-DLINNET_BLOCK="{code}"', source], capture_output=True, text=True)
        return done.stderr


class BlocksTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = Site(ROOT)
        cls.blocks = cls.site.blocks()
        cls.proofs = [(block, blocks.proof_of(block)) for block in cls.blocks]

    def test_every_block_has_a_proof(self):
        found = list(blocks.problems(self.site.repository, self.blocks))
        self.assertEqual(found, [], "\n".join(found))

    def test_c_and_cpp_compile(self):
        compiled = [(block, proof) for block, proof in self.proofs if proof and proof.kind == "compiled"]
        self.assertGreaterEqual({block.file for block, _ in compiled},
                                {"README.md", "runtime/include/linnet/gpu.md", *(file for file in blocks.EXAMPLES if "include" in file)})
        for block, proof in compiled:
            with self.subTest(block.place):
                said = compile_block(block, proof.detail)
                self.assertEqual(said, "", said)

    def test_a_block_that_does_not_compile(self):
        block = blocks.Block("page.md", 7, "cpp", "#include <linnet/linnet.hpp>\n\nint f() { return linnet::Plan::Opne(\"x\"); }\n", {})
        self.assertIn("page.md:10:", compile_block(block, ""))
        self.assertIn("Opne", compile_block(block, ""))

    def test_paths_are_those_of_the_script(self):
        listed = subprocess.run([ROOT / "toolchains/platforms.sh", "--list"], capture_output=True, text=True, check=True).stdout
        names = {line.partition(":")[0] for line in listed.splitlines()}
        self.assertEqual({proof.detail for _, proof in self.proofs if proof and proof.kind == "path"}, names)
        self.assertEqual({block.file for block, proof in self.proofs if proof and proof.kind == "path"}, {"README.md"}, "platforms.sh reads no other file")

    @classmethod
    def tearDownClass(cls):
        counts = collections.Counter((proof.kind, proof.detail if proof.kind == "tested-by" else "") for _, proof in cls.proofs if proof)
        print(f"\n{len(cls.blocks)} blocks on the site:")
        for (kind, detail), count in sorted(counts.items()):
            print(f"  {count:3} {kind} {detail}".rstrip())
        for block, proof in cls.proofs:
            if proof and proof.kind == "not-run":
                print(f"  not run: {block.place}: {proof.detail}")


class WrongBlocksTest(unittest.TestCase):
    """Pages with blocks that nothing proves, in the repository as it is otherwise."""

    def expect(self, text, *wanted):
        repository = Repository(ROOT)
        found = [problem for problem in blocks.problems(repository, Document("converter/README.md", text).blocks()) if problem.startswith("converter/")]
        self.assertEqual(len(found), len(wanted), found)
        for problem, part in zip(found, wanted):
            self.assertIn(part, problem)

    def test_right_ones(self):
        self.expect("<!-- path: x -->\n```sh\na\n```\n```text\na\n```\n```c\nint a;\n```\n"
                    "<!-- not-run: it takes long -->\n```sh\n# nothing\ncmake --preset release && ctest -L unit\n./toolchains/setup.sh all   # --none\n"
                    "tests/models/budget_test.py tests/golden/budget.txt \\\n  --update\n```\n")

    def test_no_proof(self):
        self.expect("text\n```sh\na\n```\n\n```python\na\n```\n", "converter/README.md:2: nothing proves this block of sh", "converter/README.md:6: nothing proves")
        self.expect("<!-- path: x -->\ntext\n```sh\na\n```\n", "nothing proves")
        self.expect("```\na\n```\n\n    indented\n", "no language", "no language")
        self.expect("- a list\n  ```js\n  a\n  ```\n", "nothing proves this block of js")

    def test_marks_that_mean_nothing(self):
        self.expect("<!-- testedby: x -->\n```c\na\n```\n", "the mark 'testedby' means nothing")
        self.expect("<!-- not-run: it is Swift -->\n```swift\na\n```\n", "only commands can be `not-run`")
        self.expect("<!-- given: none.h -->\n```c\na\n```\n", "there is no tests/site/given/none.h")

    def test_commands_of_a_path(self):
        path = "<!-- path: x -->\n```sh\nmake it   # now\nrun it\n```\n"
        self.expect(path + "<!-- as-path: x -->\n```sh\nmake it\n```\n")
        self.expect(path + "<!-- as-path: x -->\n```sh\nmake it now\n```\n", "'make it now' is no command of the path x")
        self.expect(path + "<!-- as-path: y -->\n```sh\nrun it\n```\n", "'run it' is no command of the path y")

    def test_tests_that_do_not_test(self):
        mark = "<!-- tested-by: {} -->\n```js\na\n```\n"
        self.expect(mark.format("tests/none_test.py"), "there is no test tests/none_test.py")
        self.expect(mark.format("tests/platform/web/readme_test.mjs"), "does not read converter/README.md")
        self.expect(mark.format("tests/platform/web/noise.mjs"), "nothing runs tests/platform/web/noise.mjs", "does not read converter/README.md",
                    "knows no blocks of js")
        self.expect(mark.format("tests/site/commands_test.py"), "knows no blocks of js")

    def test_commands_that_cannot_be(self):
        self.expect("<!-- not-run: x -->\n```sh\n./toolchains/none.sh\ncmake --preset none\n./toolchains/android.sh --tset\n"
                    "build/venv/bin/python tests/none.py --x\n```\n",
                    "there is no file ./toolchains/none.sh", "there is no preset 'none'", "toolchains/android.sh has no option --tset", "there is no file tests/none.py")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        COMPILERS["c"], COMPILERS["cpp"] = sys.argv[1:]
        del sys.argv[1:]
    unittest.main()
