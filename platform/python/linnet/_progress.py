# SPDX-License-Identifier: Apache-2.0
"""How people see that a conversion goes on."""
import html
import sys
import time


class Notebook:
    """One line under the cell. It is replaced ten times a second at most, and disappears at the end."""

    def __init__(self):
        from IPython.display import HTML, display
        self._html = HTML
        self._line = display(HTML(""), display_id=True)
        self._shown = float("-inf")

    def show(self, stage):
        if time.monotonic() - self._shown > 0.1:
            self._line.update(self._html(f"<i>linnet: {html.escape(stage)} ...</i>"))
            self._shown = time.monotonic()

    def clear(self):
        self._line.update(self._html(""))


class Terminal:
    """One line of standard error."""

    def show(self, stage):
        print(f"\r\033[Klinnet: {stage} ...", end="", file=sys.stderr, flush=True)

    def clear(self):
        print("\r\033[K", end="", file=sys.stderr, flush=True)


class Function:
    """A function of the caller."""

    def __init__(self, show):
        self.show = show

    def clear(self):
        pass


def in_notebook():
    """Does a notebook show what this process displays?"""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and shell.has_trait("kernel")


def chosen(progress):
    """What `progress` of linnet.convert asks for: an object with show(stage) and clear(), or None."""
    if callable(progress):
        return Function(progress)
    if progress is False:
        return None
    if in_notebook():
        return Notebook()
    if progress or sys.stderr is not None and sys.stderr.isatty():
        return Terminal()
    return None
