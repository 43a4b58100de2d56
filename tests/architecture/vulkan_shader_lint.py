# SPDX-License-Identifier: Apache-2.0
"""Finds in the text of a compute shader what compilers accept and some devices do not survive or run slowly:
  - a `return` before the last barrier(), or a barrier() that some threads of a workgroup may not reach, because it is inside
    an `if` or a loop whose condition is no constant: devices hang or are lost;
  - `/` or `%` of integers by something that is no constant inside a loop: tens of instructions on a GPU;
  - workgroups of a fixed size, more than four bindings, bindings with gaps.
Constants are literals, names such as kSplits, and `const` variables made of these."""
import re

TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\.\d\w*|[-+*/%&|^<>=!]=|&&|\|\||<<|>>|\+\+|--|\S")
INTEGER = re.compile(r"u?int|[ui]vec[234]")
TYPE = re.compile(r"void|bool|u?int|float|[uib]?vec[234]|mat[234]|[A-Z]\w*")
KEYWORDS = {"true", "false", "const", "in", "out", "inout", "highp"}


def with_includes(path, seen=None):
    """The shader's text with its includes in their places, each once."""
    seen = set() if seen is None else seen
    lines = []
    for line in path.read_text().splitlines():
        match = re.match(r'\s*#include "(.+?)"', line)
        if not match:
            lines.append(line)
            continue
        included = (path.parent / match.group(1)).resolve()
        if included not in seen:
            seen.add(included)
            lines.append(with_includes(included, seen))
    return "\n".join(lines)


class Code:
    """Tokens of a shader without comments and preprocessor lines; where its functions are; which names are constants."""

    def __init__(self, text):
        text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL).replace("\\\n", " ")
        self.macros = re.findall(r"^\s*#define .*", text, re.MULTILINE)
        self.tokens = TOKEN.findall(re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE))
        self.integers = {name for kind, name in zip(self.tokens, self.tokens[1:]) if INTEGER.fullmatch(kind)}
        self.constants = self._constants()
        self.functions = self._functions()

    def _constants(self):
        """Names of `const` variables whose values are constants."""
        constants = set()
        for at in range(len(self.tokens) - 4):
            const, _, name, equals = self.tokens[at:at + 4]
            if const == "const" and equals == "=":
                value = self.tokens[at + 4:self.tokens.index(";", at)]
                if self.is_constant(value, constants):
                    constants.add(name)
        return constants

    def is_constant(self, tokens, known=()):
        for before, token in zip([""] + list(tokens), tokens):
            if not re.match(r"[A-Za-z_]", token) or before == ".":
                continue
            if not (token in known or token in KEYWORDS or TYPE.fullmatch(token) or re.match(r"k[A-Z]", token) or
                    token == "gl_WorkGroupSize"):
                return False
        return True

    def closing(self, at):
        """The token that closes the bracket at `at`."""
        depth = 0
        for end in range(at, len(self.tokens)):
            depth += (self.tokens[end] in "([{") - (self.tokens[end] in ")]}")
            if depth == 0:
                return end
        raise ValueError("brackets do not match")

    def _functions(self):
        """The range of tokens of each function's body, by its name."""
        functions, at = {}, 0
        while at < len(self.tokens):
            if self.tokens[at] == "(":
                end = self.closing(at)
                if self.tokens[end + 1:end + 2] == ["{"]:
                    functions.setdefault(self.tokens[at - 1], []).append((end + 1, self.closing(end + 1)))
                    at = self.closing(end + 1)
                else:
                    at = end
            at += 1
        return functions


class Scope:
    """What a statement is inside of: `if` with its condition, or a loop with what is between its brackets."""

    def __init__(self, kind, head):
        self.kind, self.head = kind, head

    def is_constant(self, code):
        variables = {name for kind, name in zip(self.head, self.head[1:]) if INTEGER.fullmatch(kind)}
        return code.is_constant(self.head, code.constants | variables)


def scopes(code, begin, end):
    """For each token of a body, what it is inside of. A loop's own head belongs to it."""
    result = {}

    def statement(at, around):
        token = code.tokens[at]
        if token == "{":
            return block(at, around)
        if token in ("if", "for", "while", "switch"):
            close = code.closing(at + 1)
            scope = Scope("if" if token in ("if", "switch") else "loop", code.tokens[at + 2:close])
            mark(at, close, around + [scope] if scope.kind == "loop" else around)
            at = statement(close + 1, around + [scope])
            while token == "if" and at < end and code.tokens[at] == "else":
                at = statement(at + 1, around + [scope])
            return at
        if token == "do":
            head = code.closing(at + 1)
            close = code.closing(head + 2)
            statement(at + 1, around + [Scope("loop", code.tokens[head + 3:close])])
            return close + 2
        stop = at
        while code.tokens[stop] != ";":
            stop = code.closing(stop) if code.tokens[stop] in "([{" else stop + 1
            if code.tokens[stop] in ")]}":
                stop += 1
        mark(at, stop, around)
        return stop + 1

    def block(at, around):
        close = code.closing(at)
        at += 1
        while at < close:
            if code.tokens[at] in ("case", "default"):
                at = code.tokens.index(":", at) + 1
            else:
                at = statement(at, around)
        return close + 1

    def mark(first, last, around):
        for at in range(first, last + 1):
            result[at] = around

    block(begin, [])
    return result


def divisor(code, at):
    """The tokens that the division at `at` divides by."""
    first = at + 1
    last = code.closing(first) if code.tokens[first] == "(" else first
    while last + 1 < len(code.tokens) and code.tokens[last + 1] in "([.":
        last = last + 2 if code.tokens[last + 1] == "." else code.closing(last + 1)
    return code.tokens[first:last + 1]


def is_slow_division(code, at):
    if code.tokens[at] not in ("/", "%", "/=", "%="):
        return False
    tokens = divisor(code, at)
    if code.is_constant(tokens, code.constants) or re.match(r"float|vec", tokens[0]):
        return False
    # Members are found by their own name, behind the last dot.
    return any(token in code.integers or INTEGER.fullmatch(token) for token in tokens)


def calls(code, at, names):
    return code.tokens[at] in names and code.tokens[at + 1:at + 2] == ["("]


def reaching(code, bodies, is_it):
    """Names of the functions whose bodies have a token that is_it accepts, or call one that does."""
    names = set()
    while True:
        more = {name for name, ranges in bodies.items() for inside in ranges
                if any(is_it(at) or calls(code, at, names) for at in inside)}
        if more == names:
            return names
        names = more


def barrier_problems(code, name, inside, waiting):
    barriers = [at for at in sorted(inside) if calls(code, at, waiting | {"barrier"})]
    if not barriers:
        return
    if any(code.tokens[at] in ("return", "discard") for at in inside if at < barriers[-1]):
        yield f"{name}() may return before its last barrier()"
    for at in barriers:
        for scope in inside[at]:
            if not scope.is_constant(code):
                yield f"{name}(): a barrier() depends on `{' '.join(scope.head)}`"
    for at in inside:
        if code.tokens[at] in ("break", "continue") and any(scope in inside[b] for b in barriers for scope in inside[at]):
            yield f"{name}(): `{code.tokens[at]}` in a loop with a barrier()"


def binding_problems(text):
    text = re.sub(r"^\s*#define.*$", "", text, flags=re.MULTILINE)
    bindings = sorted(set(int(number) for number in re.findall(r"(?:READ|WRITE)_\w+\((\d+),|binding = (\d+)", text)
                          for number in number if number))
    if len(bindings) > 4:
        yield "more than four bindings"
    if bindings != list(range(len(bindings))):
        yield "bindings have gaps"


def problems(text):
    """Yields one sentence per problem of a shader, given with its includes."""
    if re.search(r"local_size_x\s*=|local_size_[yz]\s*=\s*(?!\s|1\b)", text):
        yield "the workgroup has a fixed size"
    yield from binding_problems(text)
    code = Code(text)
    if any("barrier" in macro for macro in code.macros):
        yield "a macro hides a barrier()"
    bodies = {name: [scopes(code, *body) for body in ranges] for name, ranges in code.functions.items()}
    waiting = reaching(code, bodies, lambda at: calls(code, at, {"barrier"}))
    dividing = reaching(code, bodies, lambda at: is_slow_division(code, at))
    for name, ranges in bodies.items():
        for inside in ranges:
            yield from barrier_problems(code, name, inside, waiting)
            for at in sorted(inside):
                if any(scope.kind == "loop" for scope in inside[at]) and (is_slow_division(code, at) or
                                                                          calls(code, at, dividing)):
                    yield f"{name}(): a division in a loop at `{' '.join(code.tokens[at - 3:at + 4])}`"


# Shaders that must be found fault with, and by which words; then some that are right.
FAULTS = (
    ("void main() { if (p.n == 0u) return; barrier(); }", "may return"),
    ("void main() { if (i < p.n) { barrier(); } }", "depends on"),
    ("void main() { for (uint i = 0u; i < p.n; ++i) barrier(); }", "depends on"),
    ("void main() { while (go) barrier(); }", "depends on"),
    ("void F() { barrier(); } void main() { if (a) F(); }", "depends on"),
    ("void F() { barrier(); } void main() { if (a) return; F(); }", "may return"),
    ("void main() { for (uint i = kN; i > 0u; --i) { if (a) break; barrier(); } }", "`break`"),
    ("void main() { uint n; for (uint i = 0u; i < 4u; ++i) x = i / n; }", "division"),
    ("struct P { uint n; }; void main() { for (uint i = 0u; i < 4u; ++i) { x = y[i % p.n]; } }", "division"),
    ("uint F(uint a, uint b) { return a / b; } void main() { while (a) x += F(a, b); }", "division"),
    ("layout(local_size_x = 64) in; void main() {}", "fixed size"),
    ("READ_F(0, a); READ_F(1, b); READ_F(2, c); READ_F(3, d); WRITE_F(4, e); void main() {}", "more than four"),
    ("READ_F(0, a); WRITE_F(2, b); void main() {}", "gaps"),
)
RIGHT = (
    "void main() { for (uint i = kN / 2u; i > 0u; i /= 2u) { barrier(); if (a < i) x += y; } if (a) return; }",
    "void main() { const uint n = kN * 2u; if (kRows) barrier(); for (uint i = n; i > 0u; --i) x = i % n; }",
    "float F(float a) { return 1.0 / a; } void main() { uint n; x = a / n; for (uint i = 0u; i < n; ++i) x += F(a); }",
    "uint F() { return 1u; } void main() { barrier(); for (uint i = 0u; i < n; ++i) { if (a) continue; x = F(); } return; }",
)


def undetected_faults():
    for text, words in FAULTS:
        if not any(words in problem for problem in problems(text)):
            yield f"the lint does not find what is wrong with: {text}"
    for text in RIGHT:
        for problem in problems(text):
            yield f"the lint finds something wrong ({problem}) with: {text}"
