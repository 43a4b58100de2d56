# SPDX-License-Identifier: Apache-2.0
"""A public header as clang reads it: what it declares, in its order, with the comments that belong to it.

A comment on the lines before a declaration belongs to it, and to the functions that follow without an empty line or a comment of
their own; one behind it, on its line, belongs to it alone. `---- Plans ----` begins a section. Other comments are prose.
"""
import dataclasses
import pathlib
import re

from clang import cindex

KIND = cindex.CursorKind
SECTION = re.compile(r"-{4,} (.*?) -{4,}")
FORMER = re.compile(r"LINNET_FORMER_NAME\((\w+)\)")
SCOPES = {KIND.NAMESPACE, KIND.LINKAGE_SPEC, KIND.UNEXPOSED_DECL}
CLASSES = {KIND.CLASS_DECL, KIND.STRUCT_DECL, KIND.CLASS_TEMPLATE}
FUNCTIONS = {KIND.FUNCTION_DECL, KIND.CXX_METHOD, KIND.CONSTRUCTOR, KIND.CONVERSION_FUNCTION, KIND.FUNCTION_TEMPLATE}
ALIASES = {KIND.TYPEDEF_DECL, KIND.TYPE_ALIAS_DECL}
SHOWN = CLASSES | FUNCTIONS | ALIASES | {KIND.ENUM_DECL, KIND.FIELD_DECL}


@dataclasses.dataclass
class Comment:
    line: int
    end: int
    text: str
    alone: bool  # nothing stands before it on its line


@dataclasses.dataclass
class Member:
    """A field of a struct, or a value of an enumeration."""
    name: str
    code: str
    text: str = ""


@dataclasses.dataclass
class Declaration:
    kind: str  # function, class, struct, enum, alias, macro
    name: str
    code: str
    line: int
    end: int
    note: str = ""      # the comment behind it
    heading: str = ""   # of an enumeration: the comment behind its brace
    members: list = dataclasses.field(default_factory=list)
    entries: list = dataclasses.field(default_factory=list)  # of a class


@dataclasses.dataclass
class Entry:
    """Declarations that share one comment."""
    text: str
    declarations: list


@dataclasses.dataclass
class Section:
    title: str
    prose: str = ""
    parts: list = dataclasses.field(default_factory=list)  # entries, and prose as str


class Header:
    """What one header file declares. `intro` is its first comment, without the licence line."""

    def __init__(self, root, file, language):
        self.file = file
        path = str(root / "runtime/include" / file)
        arguments = ["-x", "c", "-std=c99"] if language == "c" else ["-x", "c++", "-std=c++17"]
        self.unit = cindex.Index.create().parse(path, [*arguments, f"-I{root / 'runtime/include'}"],
                                                options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        wrong = [str(problem) for problem in self.unit.diagnostics if problem.severity >= cindex.Diagnostic.Error]
        if wrong:
            raise ValueError("\n".join(wrong))
        self.bytes = pathlib.Path(path).read_bytes()
        self.lines = self.bytes.decode().splitlines()
        self.comments = self._comments(path)
        self.intro = re.sub(r"^SPDX-.*\n+", "", self.comments[0].text)
        self.sections = self._sections([*self._macros(path), *self._declared(self.unit.cursor, path)])

    def _comments(self, path):
        """Comments of the file; lines of // that follow each other are one."""
        whole = self.unit.get_extent(path, ((1, 1), (len(self.lines) + 1, 1)))
        found = []
        for token in self.unit.get_tokens(extent=whole):
            if token.kind != cindex.TokenKind.COMMENT:
                continue
            start, end = token.extent.start, token.extent.end
            alone = not self.lines[start.line - 1][:start.column - 1].strip()
            last = found[-1] if found else None
            if token.spelling.startswith("//") and last and alone and last.end + 1 == start.line and last.column == start.column:
                last.text, last.end = f"{last.text}\n{text_of(token.spelling)}", end.line
            else:
                found.append(Comment(start.line, end.line, text_of(token.spelling), alone))
                found[-1].column = start.column
        for comment in found:
            comment.text = re.sub(r"\s*NOLINT.*", "", comment.text).strip("\n")
        return found

    def _macros(self, path):
        for cursor in self.unit.cursor.get_children():
            if cursor.kind == KIND.MACRO_DEFINITION and cursor.location.file and cursor.location.file.name == path:
                # Include guards have no value; what is neither a number nor a name is no constant.
                if re.fullmatch(r"\w+\s+\w+", self._source(cursor)):
                    yield cursor

    def _declared(self, scope, path):
        """The declarations of the file, of all its namespaces."""
        for cursor in scope.get_children():
            if cursor.location.file is None or cursor.location.file.name != path:
                if cursor.kind not in SCOPES or not cursor.extent.start.file or cursor.extent.start.file.name != path:
                    continue
            if cursor.kind in SCOPES:
                yield from self._declared(cursor, path)
            elif cursor.kind in SHOWN:
                yield cursor

    def _source(self, cursor):
        return self.bytes[cursor.extent.start.offset:cursor.extent.end.offset].decode()

    def _sections(self, cursors):
        """Everything in the order of the file."""
        declarations = self._declarations(cursors)
        inside = [(found.line, found.end) for found in declarations]
        starts = {found.line for found in declarations}
        free = [comment for comment in self.comments[1:] if comment.alone and comment.end + 1 not in starts
                and not any(begin <= comment.line <= end for begin, end in inside)
                and not re.match(r"\s*(inline )?namespace", self.lines[min(comment.end, len(self.lines) - 1)])]
        items = sorted([*((entry.declarations[0].line, entry) for entry in self._entries(declarations)),
                        *((comment.line, comment) for comment in free)], key=lambda item: item[0])
        sections = [Section("")]
        for _, item in items:
            title = SECTION.match(item.text) if isinstance(item, Comment) else None
            if title:
                sections.append(Section(title[1]))
            else:
                sections[-1].parts.append(item.text if isinstance(item, Comment) else item)
        return [section for section in sections if section.parts]

    def _declarations(self, cursors):
        """Declarations without those that only repeat others: the typedef of a struct, a struct that is defined elsewhere."""
        made = {}
        for cursor in cursors:
            if cursor.kind in CLASSES and not cursor.is_definition():
                continue
            if cursor.kind in FUNCTIONS and not cursor.spelling.isidentifier() and not cursor.spelling.startswith("operator") and "<" not in cursor.spelling:
                continue
            if "::" in self._source(cursor).partition("(")[0] and cursor.kind in FUNCTIONS and cursor.semantic_parent != cursor.lexical_parent:
                continue  # the body of what a class declares
            found = self._declaration(cursor)
            made.setdefault((found.line, found.name), found)
        return sorted(made.values(), key=lambda found: found.line)

    def _declaration(self, cursor):
        kind = cursor.kind
        name = re.sub(r"<.*", "", cursor.spelling) if kind in FUNCTIONS and not cursor.spelling.startswith("operator") else cursor.spelling
        found = Declaration("function", name, self._code(cursor), cursor.extent.start.line, cursor.extent.end.line)
        note = [comment.text for comment in self.comments if not comment.alone and comment.line == found.end
                and comment.column > cursor.extent.end.column]
        if kind in CLASSES:
            found.kind = "class"
            self._fill_class(found, cursor)
        elif kind == KIND.ENUM_DECL:
            found.kind = "enum"
            found.name = found.name if found.name.isidentifier() else ""
            values = list(cursor.get_children())
            first = values[0].extent.start
            found.heading = " ".join(comment.text for comment in self.comments if comment.line == found.line and not comment.alone
                                     and comment.line < first.line)
            found.members = [self._member(value) for value in values]
            note = []
        elif kind in ALIASES:
            found.kind = "alias"
        elif kind == KIND.MACRO_DEFINITION:
            found.kind = "macro"
        former = FORMER.match(self._source(cursor))
        found.note = " ".join(note) or (f"it is called {former[1]}" if former else "")
        return found

    def _fill_class(self, found, cursor):
        inner = [child for child in cursor.get_children() if child.kind in SHOWN
                 and child.access_specifier in (cindex.AccessSpecifier.PUBLIC, cindex.AccessSpecifier.NONE, cindex.AccessSpecifier.INVALID)]
        found.kind = "struct" if cursor.kind == KIND.STRUCT_DECL else "class"
        found.members = [self._member(child) for child in inner if child.kind == KIND.FIELD_DECL]
        found.entries = self._entries(self._declarations(child for child in inner if child.kind != KIND.FIELD_DECL))

    def _member(self, cursor):
        start, end = cursor.extent.start.line, cursor.extent.end.line
        before = [comment.text for comment in self.comments if comment.alone and comment.end + 1 == start]
        behind = [comment.text for comment in self.comments if not comment.alone and comment.line == end and comment.column > cursor.extent.end.column]
        return Member(cursor.spelling, spaced(self._source(cursor)), "\n".join([*before, *behind]))

    def _entries(self, declarations):
        leading = {comment.end + 1: comment for comment in self.comments if comment.alone}
        entries = []
        for found in declarations:
            comment = leading.get(found.line)
            last = entries[-1].declarations[-1] if entries else None
            adjacent = last is not None and last.end + 1 == found.line and comment is None
            if adjacent and joins(last, found):
                entries[-1].declarations.append(found)
            else:
                entries.append(Entry(comment.text if comment and not SECTION.match(comment.text) else "", [found]))
        return entries

    def _code(self, cursor):
        """The declaration without its body, on one line."""
        text = self._source(cursor)
        if cursor.kind in FUNCTIONS:
            text = without_body(text)
            text = re.sub(r"^(LINNET_API|LINNET_FORMER_NAME\(\w+\))\s+", "", text)
        elif cursor.kind == KIND.MACRO_DEFINITION:
            return f"#define {spaced(text)}"
        elif cursor.kind in CLASSES or cursor.kind == KIND.ENUM_DECL:
            text = text.partition("{")[0]
        return spaced(re.sub(r"//.*|/\*.*?\*/", "", text, flags=re.DOTALL))


def joins(last, found):
    """Does a declaration without a comment of its own belong to the one before it? An enumeration does to the name of its type."""
    return (last.kind, found.kind) == ("alias", "enum") or last.kind == found.kind and found.kind in ("function", "alias", "macro")


def without_body(text):
    """What stands before the body or the initialisers of a function, which may have default values in braces."""
    depth = 0
    for at, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0 and (character == "{" or text[at:at + 3] == " : "):
            return text[:at]
    return text


def spaced(text):
    """Code on one line."""
    return re.sub(r"\( ", "(", re.sub(r"\s+", " ", text)).strip()


def text_of(comment):
    """The text of a comment, without what makes it one. Lines keep their indentation."""
    if comment.startswith("//"):
        return comment[2:].removeprefix(" ")
    lines = comment.removeprefix("/*").removesuffix("*/").split("\n")
    rest = [re.sub(r"^\s*\* ?", "", line) if re.match(r"^\s*\*", line) else line.strip() for line in lines[1:]]
    return "\n".join([lines[0].strip(), *rest]).rstrip()
