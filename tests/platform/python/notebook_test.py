# SPDX-License-Identifier: Apache-2.0
"""Executes a notebook as Jupyter does, and looks at what its cells show."""
import xml.etree.ElementTree

import pytest

from conftest import REFUSED, convolution

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")

SVG = "{http://www.w3.org/2000/svg}"


def html_of(cell):
    """The HTML of the cell's last output that has any."""
    shown = [output["data"]["text/html"] for output in cell.outputs if "text/html" in output.get("data", {})]
    return shown[-1] if shown else ""


def pictures(html):
    """Its <svg> elements by class; the HTML has to be well-formed."""
    tree = xml.etree.ElementTree.fromstring(html)
    assert tree.get("class") == "linnet" and tree.find("style") is not None
    return {svg.get("class"): svg for svg in tree.iter(SVG + "svg")}


@pytest.fixture
def executed(model, tmp_path):
    """Cells, after they ran."""
    (tmp_path / "kernels").mkdir()

    def run(*sources, allow_errors=False):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=allow_errors,
                                resources={"metadata": {"path": str(tmp_path)}}).execute()
        return notebook.cells
    return run


def test_pictures(model, executed):
    model(convolution())
    _, convert, graph, arena, run = executed(
        "import linnet, numpy as np",
        "report = linnet.convert('model.pbtxt', 'model.linnet', inputs={'x': (1, 4, 4, 1)})\nreport",
        "report.graph", "report.arena",
        "linnet.Session(linnet.Plan('model.linnet')).run({'x': np.ones((1, 4, 4, 1), np.float32)})['y'].shape")

    shown = pictures(html_of(convert))
    assert set(shown) == {"graph", "arena"} and "Costs by step" in html_of(convert)
    only_graph, only_arena = pictures(html_of(graph)), pictures(html_of(arena))
    assert set(only_graph) == {"graph"} and set(only_arena) == {"arena"}
    # The input, the step with its activation, the output: three boxes and two arrows between them.
    boxes = [text.text for text in only_graph["graph"].iter(SVG + "text")]
    assert len(boxes) == 3 and any("Conv2D" in text for text in boxes), boxes
    assert len(list(only_graph["graph"].iter(SVG + "path"))) == 2
    # A rectangle for each buffer, inside of the picture.
    arena_svg = only_arena["arena"]
    buffers = list(arena_svg.iter(SVG + "rect"))
    assert len(buffers) >= 2
    for buffer in buffers:
        assert float(buffer.get("x")) + float(buffer.get("width")) <= float(arena_svg.get("width"))
        assert float(buffer.get("y")) + float(buffer.get("height")) <= float(arena_svg.get("height"))
        assert float(buffer.get("height")) > 0 and buffer.find(SVG + "title").text
    assert run.outputs[-1]["data"]["text/plain"] == "(1, 4, 4, 2)"


def test_progress_disappears(model, executed):
    model(convolution())
    cells = executed("import linnet\nlinnet.convert('model.pbtxt', 'model.linnet', inputs={'x': (1, 4, 4, 1)});")
    line = cells[0].outputs[0]
    assert line["output_type"] == "display_data" and line["data"]["text/html"] == ""  # what it was updated to last
    assert not [output for output in cells[0].outputs if output["output_type"] == "stream"]


def test_a_failure_shows_its_problems(model, executed):
    model(REFUSED)
    _, shown = executed("import linnet\ntry:\n  linnet.convert('model.pbtxt', 'model.linnet')\nexcept linnet.ConversionError as e:\n  error = e",
                        "error")
    html = html_of(shown)
    assert html.count('<div class="problem">') == 2 and "MatrixSquareRoot" in html and "MatrixExponential" in html
