# SPDX-License-Identifier: Apache-2.0
import inspect

import numpy as np
import pytest

import linnet
from conftest import REFUSED, RELU, VARYING, convolution, in_threads
from linnet import _convert, _load


def test_reports(model, tmp_path):
    report = linnet.convert(model(convolution()), tmp_path / "m.linnet", inputs={"x": (1, 4, 4, 1)}, explain_placement=True,
                            report=[tmp_path / "r.html", tmp_path / "r.json"])
    assert "lower bound" in report.text and "1 segment, 0 copies" in str(report)
    assert report.data["succeeded"] and report.data["plan_bytes"] == (tmp_path / "m.linnet").stat().st_size
    assert report.html == (tmp_path / "r.html").read_text() and report.html.startswith("<!DOCTYPE html>")
    assert report.problems == []
    assert "model.pbtxt: 1 step" in repr(report)


def test_one_exception_lists_all_problems(model, tmp_path):
    with pytest.raises(linnet.ConversionError) as caught:
        linnet.convert(model(REFUSED), tmp_path / "m.linnet")
    assert [text.split(":")[0] for text in caught.value.problems] == ["MatrixSquareRoot 'root'", "MatrixExponential 'power'"]
    for part in ("MatrixSquareRoot 'root'", "MatrixExponential 'power'", "2 problems, no plan written"):
        assert part in str(caught.value)
    assert not caught.value.report.data["succeeded"] and "MatrixExponential" in caught.value._repr_html_()
    assert isinstance(caught.value, linnet.Error) and not (tmp_path / "m.linnet").exists()


def test_errors_that_are_not_the_models(model, tmp_path):
    for options, part in (({"weights": "f64"}, "weights"), ({"report": "r.txt"}, ".json or .html"),
                          ({"dump_after": "nothing"}, "no such pass")):
        with pytest.raises(linnet.Error, match=part) as caught:
            linnet.convert(model(RELU), tmp_path / "m.linnet", **options)
        assert not isinstance(caught.value, linnet.ConversionError)
    with pytest.raises(linnet.Error, match="cannot write"):
        linnet.convert(model(RELU), tmp_path / "no" / "m.linnet")
    with pytest.raises(linnet.Error, match="missing.pb"):
        linnet.convert("missing.pb", tmp_path / "m.linnet")
    with pytest.raises(TypeError):
        linnet.convert(model(RELU), tmp_path / "m.linnet", frobnicate=1)


def test_every_option_of_the_command_is_a_keyword():
    """A new option of `linnet convert` has to be a keyword, with a default that leaves it out."""
    flags = {_convert.keyword_of(name): kind for name, kind in _load.converter().convert_flags()}
    keywords = dict(inspect.signature(linnet.convert).parameters)
    for own in ("model", "plan", "progress"):
        del keywords[own]
    assert set(keywords) == set(flags)
    assert all(one.default in (None, False) for one in keywords.values())
    assert set(flags.values()) == {"flag", "one", "many"} and flags["explain_placement"] == "flag" and flags["place"] == "one"


def test_values_on_the_command_line():
    assert _convert.arguments_of({
        "inputs": {"a": (1, None, (2, 8), "1..3"), "b": (), "c": None, "d": "1x2", "e": np.ones((2, 3)).shape, "f=g": (-1,)},
        "set": {"training": False, "rate": 0.5, "size": np.array([256, 512]), "w": "w.npy"}, "output": "y", "max": {"n": 7}, "tag": ["serve", "gpu"], "signature": None, "place_node": {"conv": "cpu"},
        "explain_placement": True, "gpu_precision": "f16", "weights": "-x"}) == [
            "--input=a=1x?x2..8x1..3", "--input=b=scalar", "--input=c", "--input=d=1x2", "--input=e=2x3", "--input=f=g=?",
            "--set=training=False", "--set=rate=0.5", "--set=size=256,512", "--set=w=w.npy", "--output=y", "--max=n=7", "--tag=serve", "--tag=gpu", "--place-node=conv=cpu", "--explain-placement",
            "--gpu-precision=f16", "--weights=-x"]
    with pytest.raises(TypeError) as caught:
        _convert.arguments_of({"place": ["cpu", "vulkan"], "nothing": 1, "inputs": {"a": (1, (2, 3, 4))}, "set": {"w": [[1, 2]]}})
    for part in ("place=['cpu', 'vulkan']: want one value", "set={'w': [[1, 2]]}: write an array", "no option 'nothing'", "inputs={'a': (1, (2, 3, 4))}"):
        assert part in str(caught.value)


def test_options_reach_the_converter(model, tmp_path):
    plan = tmp_path / "m.linnet"
    report = linnet.convert(model(VARYING), plan, {"a": ((1, 4), 3), "b": ((1, 4), 3)}, output=["sum"])
    assert [port["name"] for port in report.data["outputs"]] == ["sum"]
    assert linnet.Plan(plan).inputs[0].varies == (True, False)
    report = linnet.convert(model(convolution()), plan, {"x": (64, 4, 4, 1)}, place="vulkan", gpu_precision="f16", weights="f16")
    assert report.data["variants"][0]["memory"]["devices"][0]["layout"] == "rows4_half"
    assert report.data["weights"]["by_encoding"].get("float16")


def test_progress(model, tmp_path, capsys):
    stages = []
    linnet.convert(model(RELU), tmp_path / "m.linnet", progress=stages.append)
    assert {"import", "write"} <= {stage.split()[0] for stage in stages}, stages
    linnet.convert(model(RELU), tmp_path / "m.linnet")
    assert capsys.readouterr().err == ""  # it is no terminal
    linnet.convert(model(RELU), tmp_path / "m.linnet", progress=True)
    assert "linnet: import" in capsys.readouterr().err

    def fail(stage):
        raise KeyError(stage)
    with pytest.raises(KeyError):
        linnet.convert(model(RELU), tmp_path / "m.linnet", progress=fail)


def test_conversions_in_several_threads(model, tmp_path):
    source, failed = model(convolution()), []

    def work(number):
        try:
            linnet.convert(source, tmp_path / f"{number}.linnet", {"x": (1, 4, 4, 1)})
        except Exception as error:  # whatever it is, the test has to know
            failed.append(error)
    in_threads(work)
    assert not failed
    assert len({(tmp_path / f"{number}.linnet").read_bytes() for number in range(4)}) == 1


def test_names_that_look_like_options(model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model(RELU, "-m.pbtxt")
    linnet.convert("-m.pbtxt", "--report")
    assert linnet.Plan("--report").bytes > 0
