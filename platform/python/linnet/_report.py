# SPDX-License-Identifier: Apache-2.0
"""What a conversion reports, as text, data and pictures."""
import json
from typing import Any


class Picture:
    """HTML that a notebook shows; str() of it is that HTML."""

    def __init__(self, html: str) -> None:
        self._html = html

    def _repr_html_(self) -> str:
        return self._html

    def __str__(self) -> str:
        return self._html


class Report:
    """What a conversion did. Notebooks show it with the pictures of the graph and of the arena over time; str() is what
    `linnet convert` prints."""

    def __init__(self, written) -> None:
        self._written = written
        self._data = None

    @property
    def text(self) -> str:
        """What `linnet convert` prints; "" when the conversion failed."""
        return self._written.text

    @property
    def problems(self) -> list[str]:
        """Why there is no plan; empty when there is one."""
        return self._written.problems

    @property
    def data(self) -> dict[str, Any]:
        """The keys of `linnet convert --report FILE.json`."""
        if self._data is None:
            self._data = json.loads(self._written.json())
        return self._data

    @property
    def html(self) -> str:
        """The page of `linnet convert --report FILE.html`."""
        return self._written.html()

    @property
    def graph(self) -> Picture:
        """The steps and what they pass on."""
        return Picture(self._written.graph())

    @property
    def arena(self) -> Picture:
        """The memory over time."""
        return Picture(self._written.arena())

    def _repr_html_(self) -> str:
        return self._written.fragment()

    def __str__(self) -> str:
        return self.text or "\n".join(self.problems)

    def __repr__(self) -> str:
        data = self.data
        what = f"{len(data['steps'])} steps, {data['plan_bytes']} bytes" if data["succeeded"] else f"{len(self.problems)} problems"
        return f"<linnet.Report of {data['model']}: {what}>"
