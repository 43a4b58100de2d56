# SPDX-License-Identifier: Apache-2.0
"""The blocks of code on the site, and what proves each of them: a mark on the line before it, or its language.

    <!-- path: NAME -->         toolchains/platforms.sh NAME executes it
    <!-- as-path: NAME -->      each of its commands is one of that path
    <!-- tested-by: FILE -->    this test reads the page and executes or compiles the block as it stands there
    <!-- given: FILE -->        C or C++: it is compiled where FILE of tests/site/given includes it
    <!-- not-run: REASON -->    nothing here executes it; that its files and options exist is checked

C and C++ are compiled without a mark, by tests/site/blocks_test.py. Blocks of `text`, `console` and `diff` are shown, not code."""
import dataclasses
import posixpath
import re

from document import Block

SHOWN = {"text", "console", "diff"}
COMPILED = {"c", "cpp"}
MARKS = ("path", "as-path", "tested-by", "given", "not-run")
GIVEN = "tests/site/given"
FILE = re.compile(r"^(\./)?(tests|toolchains|platform)/[\w./-]+\.\w+$")
# Examples in comments and docstrings, which have no marks.
EXAMPLES = {
    "runtime/include/linnet/linnet.h": {"given": "linnet_h.c"},
    "runtime/include/linnet/linnet.hpp": {"given": "linnet_hpp.cc"},
    "platform/python/linnet/__init__.py": {"tested-by": "tests/platform/python/readme_test.py"},
}


@dataclasses.dataclass
class Proof:
    kind: str    # a mark, or `compiled`, `shown`
    detail: str  # what the mark says
    text: str    # for readers, beside the block


def proof_of(block):
    """What a block claims; None when it claims nothing."""
    marks = {name: value for name, value in block.marks.items() if name in MARKS}
    if "path" in marks and block.language == "sh":
        return Proof("path", marks["path"], f"Executed as it stands by `toolchains/platforms.sh {marks['path']}`")
    if "as-path" in marks and block.language == "sh":
        return Proof("as-path", marks["as-path"], f"`toolchains/platforms.sh {marks['as-path']}` executes these commands")
    if "tested-by" in marks:
        return Proof("tested-by", marks["tested-by"], f"Tested as it stands by `{marks['tested-by']}`")
    if "not-run" in marks:
        return Proof("not-run", marks["not-run"], f"Not run by a test: {marks['not-run']}")
    if block.language in COMPILED:
        return Proof("compiled", marks.get("given", ""), "Compiled by a test")
    if block.language in SHOWN:
        return Proof("shown", "", "")
    return None


def problems(repository, blocks):
    """One sentence for each block without a proof, and for each proof that does not hold: all that can be said without running
    anything."""
    used = set()
    blocks = list(blocks)
    paths = {block.marks["path"]: list(commands(block.code)) for block in blocks if "path" in block.marks}
    for block in blocks:
        wrong = [*_wrong(repository, block), *_not_of_path(paths, block)]
        yield from (f"{block.place}: {reason}" for reason in wrong)
        used.add(block.marks.get("given"))
    for file in repository.files:
        if posixpath.dirname(file) == GIVEN and posixpath.basename(file) not in used:
            yield f"{file}: no block is compiled with it"


def _wrong(repository, block):
    unknown = [name for name in block.marks if name not in MARKS]
    if unknown:
        yield f"the mark '{unknown[0]}' means nothing; there are {', '.join(MARKS)}"
    if not block.language:
        yield "the block has no language; `text` is for what is no code"
        return
    proof = proof_of(block)
    if proof is None:
        yield f"nothing proves this block of {block.language}: mark it with `tested-by`, or `not-run` and a reason (site/README.md)"
    elif proof.kind == "tested-by":
        yield from _wrong_test(repository, block, proof.detail)
    elif proof.kind == "not-run" and block.language != "sh":
        yield f"only commands can be `not-run`, {block.language} can be compiled or executed"
    elif proof.kind == "not-run":
        yield from _wrong_commands(repository, block)
    if "given" in block.marks and (block.language not in COMPILED or not repository.has(f"{GIVEN}/{block.marks['given']}")):
        yield f"there is no {GIVEN}/{block.marks['given']}, or the block is neither C nor C++"


def _not_of_path(paths, block):
    """A block that claims to be part of a path must have no other commands."""
    name = block.marks.get("as-path")
    for words in commands(block.code) if name else ():
        if words not in paths.get(name, []):
            yield f"'{' '.join(words)}' is no command of the path {name}"


def _wrong_test(repository, block, test):
    """The test must exist, be run by ctest or a script, and read this page."""
    if not repository.has(test):
        yield f"there is no test {test}"
        return
    text = repository.read(test)
    folder, name = posixpath.split(test)
    stem = name.rpartition(".")[0]
    lists = [file for file in repository.files if file.endswith("CMakeLists.txt") and (folder + "/").startswith(posixpath.dirname(file) + "/")]
    scripts = [file for file in repository.files if file.startswith(".ci/") or posixpath.dirname(file) == "toolchains"]
    # A list of tests may have their names without the ending.
    named = re.compile(rf"(?<![\w-])({re.escape(name)}|(?<!/){re.escape(stem.removesuffix('_test'))})(?!\w)")
    if not any(named.search(repository.read(file)) for file in lists) and not any(name in repository.read(file) for file in scripts if file != test):
        yield f"nothing runs {test}: neither a CMakeLists.txt nor a script of toolchains"
    if not re.search(rf"(?<![\w/]){re.escape(block.file)}", text) and posixpath.dirname(block.file) != folder:
        yield f"{test} does not read {block.file}"
    if not re.search(rf"\b{re.escape(block.language)}\b", text):
        yield f"{test} knows no blocks of {block.language}"


def commands(code):
    """The commands of a block for the shell, as lists of words: without comments, continued lines together."""
    for line in re.sub(r"\\\n\s*", "", code).splitlines():
        line = re.sub(r"(^|\s)#.*", "", line)
        for command in re.split(r" && |; ", line):
            words = [word for word in command.split() if not re.match(r"^\w+=", word) and word not in ("export",)]
            if words:
                yield words


def _wrong_commands(repository, block):
    """What cannot be executed must at least name files, presets and options that exist."""
    presets = set(re.findall(r'"name": "([\w-]+)"', repository.read("CMakePresets.json"))) if repository.has("CMakePresets.json") else set()
    for words in commands(block.code):
        script = next((word.removeprefix("./") for word in words[:2] if repository.has(word.removeprefix("./"))), None)
        named = words[:1] if "/" in words[0] and not words[0].startswith(("build/", "/")) else []
        named += [word for word in words if FILE.match(word) and "NAME" not in word and word not in named]
        yield from (f"there is no file {word}" for word in named if not repository.has(word.removeprefix("./")))
        if "--preset" in words and words[words.index("--preset") + 1] not in presets:
            yield f"there is no preset '{words[words.index('--preset') + 1]}'"
        for word in words:
            flag = word.partition("=")[0]
            if script and flag.startswith("--") and len(flag) > 2 and flag not in _options(repository, script):
                yield f"{script} has no option {flag}"


def _options(repository, script):
    """The options that a script, or one beside it that it may import, mentions. Parsers may be given names in a list."""
    text = "\n".join(repository.read(file) for file in repository.files
                     if posixpath.dirname(file) == posixpath.dirname(script) and file.endswith((".py", ".sh")))
    return {f"--{name}" for name in re.findall(r"--([a-z][\w-]*)", text)} | {f"--{name}" for name in re.findall(r'"([a-z][\w-]*)"', text)}
