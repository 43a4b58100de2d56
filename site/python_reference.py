# SPDX-License-Identifier: Apache-2.0
"""The reference of the Python module, made from its files: names that it exports, their signatures and docstrings. Nothing is
imported, so that neither the module nor NumPy has to be there."""
import ast
import inspect
import re

from pages import REFERENCE, Page
from reference import Writer, escape

FOLDER = "platform/python/linnet"
PARAMETER = re.compile(r"^(\w+): ", re.MULTILINE)


def exported(repository):
    """(name, node of its definition or None) of everything in __all__, in the order of the files that define it."""
    module = ast.parse(repository.read(f"{FOLDER}/__init__.py"))
    names = next(ast.literal_eval(node.value) for node in module.body
                 if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    files = {alias.name: node.module.rpartition(".")[2] for node in module.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    for file in dict.fromkeys(files.values()):
        path = f"{FOLDER}/{file}.pyi"
        path = path if repository.has(path) else f"{FOLDER}/{file}.py"
        for node in ast.parse(repository.read(path)).body:
            name = node.target.id if isinstance(node, ast.AnnAssign) else getattr(node, "name", None)
            if name in names and files.get(name) == file:
                yield name, node


def signature(node, name):
    """A function as it is called, without self."""
    arguments = node.args
    if arguments.args and arguments.args[0].arg == "self":
        arguments.args = arguments.args[1:]
    returns = f" -> {ast.unparse(node.returns)}" if node.returns and name != "__init__" else ""
    positional = list(zip(arguments.args, [None] * (len(arguments.args) - len(arguments.defaults)) + arguments.defaults))
    keywords = list(zip(arguments.kwonlyargs, arguments.kw_defaults))
    texts = [argument_text(*pair) for pair in positional] + (["*"] if keywords else []) + [argument_text(*pair) for pair in keywords]
    return f"({', '.join(texts)}){returns}"


def argument_text(argument, default):
    """A parameter as PEP 8 writes it."""
    kind = f": {ast.unparse(argument.annotation)}" if argument.annotation else ""
    equals = " = " if kind else "="
    return argument.arg + kind + (f"{equals}{ast.unparse(default)}" if default is not None else "")


def kind_of(node):
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    if "property" in decorators:
        return "property"
    return "setter" if any(decorator.endswith(".setter") for decorator in decorators) else "method"


class PythonReference:
    def __init__(self, repository):
        self.writer = Writer("reference/python.html", "python")
        self.nodes = list(exported(repository))
        self.intro = ast.get_docstring(ast.parse(repository.read(f"{FOLDER}/__init__.py")), clean=False)
        # First what the module's own text names, in its order.
        self.nodes.sort(key=lambda named: self.intro.find(named[0]) % len(self.intro + " "))
        self.places = {}
        for name, node in self.nodes:
            self._place(name)
            for inner in self._public(node):
                self._place(f"{name}.{inner.name}")
        self.places.update([(f"linnet.{name}", url) for name, url in self.places.items()])

    def _place(self, name):
        self.places[name] = f"{self.writer.url}#{name}"

    def _public(self, node):
        """Methods and properties of a class."""
        body = node.body if isinstance(node, ast.ClassDef) else []
        return [inner for inner in body if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_") and kind_of(inner) != "setter"]

    def page(self):
        page = Page(self.writer.url, "Python reference", REFERENCE, label="Python", summary="Every function and class of the module linnet")
        write = self.writer
        write.known = self.places
        write.begin(page)
        write.source = f"{FOLDER}/__init__.py"
        write.prose(self.intro)
        for name, node in self.nodes:
            write.heading(2, name, write.id_of(name), True)
            if isinstance(node, ast.ClassDef):
                self._class(name, node)
            elif isinstance(node, ast.FunctionDef):
                write.code([(None, f"linnet.{name}{signature(node, name)}", "")], (name,))
                self._doc(node)
            else:
                write.code([(None, f"linnet.{name}: {ast.unparse(node.annotation)}", "")], (name,))
        return write.finish(page)

    def _class(self, name, node):
        write = self.writer
        init = next((inner for inner in node.body if isinstance(inner, ast.FunctionDef) and inner.name == "__init__"), None)
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        made = f"linnet.{name}{signature(init, '__init__')}" if init else f"class linnet.{name}" + (f"({bases})" if bases else "")
        write.code([(None, made, "")], (name,))
        self._doc(node)
        if init:
            self._doc(init)
        for inner in node.body:
            if isinstance(inner, ast.AnnAssign):
                self._entry(f"{name}.{inner.target.id}", f"{inner.target.id}: {ast.unparse(inner.annotation)}", None)
        for inner in self._public(node):
            code = f"{inner.name}: {ast.unparse(inner.returns)}" if kind_of(inner) == "property" else f"{inner.name}{signature(inner, inner.name)}"
            self._entry(f"{name}.{inner.name}", code, inner)

    def _entry(self, name, code, node):
        write = self.writer
        write.add('<section class="entry">\n')
        write.code([(write.id_of(name), code, "")], (name.rpartition(".")[2],))
        if node is not None:
            self._doc(node)
        write.add("</section>\n")

    def _doc(self, node):
        """A docstring; its lines `name: text` are a list of parameters."""
        text = ast.get_docstring(node, clean=False)
        for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text or "")):
            pieces = PARAMETER.split(paragraph)
            if pieces[0].strip():
                self.writer.prose(pieces[0].strip())
            if len(pieces) > 1:
                rows = zip(pieces[1::2], pieces[2::2])
                rest = []
                self.writer.add("<dl>\n")
                for name, described in rows:
                    described, last = self._last_lines(described)
                    rest.append(last)
                    self.writer.add(f"<dt><code>{escape(name)}</code></dt><dd>{self.writer.inline(described)}</dd>\n")
                self.writer.add("</dl>\n")
                for last in filter(None, rest):
                    self.writer.prose(last)

    def _last_lines(self, text):
        """A parameter's text goes on in lines that are indented; what is not belongs to the function."""
        lines = text.strip("\n").split("\n")
        end = next((i for i, line in enumerate(lines) if i and not line.startswith(" ")), len(lines))
        return "\n".join(lines[:end]), "\n".join(lines[end:])
