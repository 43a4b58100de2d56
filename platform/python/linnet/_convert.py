# SPDX-License-Identifier: Apache-2.0
"""linnet.convert: every option of `linnet convert` as a keyword."""
import os
from collections.abc import Callable, Iterable, Mapping
from keyword import iskeyword
from typing import Any

from linnet import _load, _progress
from linnet._report import Report
from linnet._runtime import Error

# An extent of an input: a number, None or "?" (as the model says), a pair (may vary from run to run, between these) or "1..128".
Extent = int | None | str | tuple[int, int]
Shape = str | None | Iterable[Extent]


class ConversionError(Error):
    """No plan was written. The text lists every problem; `problems` has them apart, `report` what is known all the same."""

    def __init__(self, text: str, problems: list[str], report: Report) -> None:
        super().__init__(text)
        self.problems = problems
        self.report = report

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def extent_text(extent):
    """One extent as `--input` has it."""
    if extent is None or extent == -1:
        return "?"
    if isinstance(extent, (tuple, list)):
        least, most = extent
        return f"{int(least)}..{int(most)}"
    return extent if isinstance(extent, str) else str(int(extent))


def input_text(name, shape):
    """The value of `--input`. Without a shape: as the model says; () is a scalar."""
    if shape is None:
        return name
    if not isinstance(shape, str):
        shape = "x".join(map(extent_text, shape)) or "scalar"
    return f"{name}={shape}"


def element_text(value):
    """What stands after NAME= on a command line; of a list or a one-dimensional array its elements, as `--set` has them."""
    if isinstance(value, (str, os.PathLike)) or not isinstance(value, Iterable):
        return os.fspath(value) if isinstance(value, os.PathLike) else str(value)
    elements = [element.item() if hasattr(element, "item") else element for element in value]
    if any(isinstance(element, Iterable) for element in elements):
        raise TypeError("write an array of several dimensions to a .npy file and give its name")
    return ",".join(map(str, elements))


def values_of(keyword, value):
    """The texts that the values of a flag have on a command line."""
    if keyword == "inputs" and isinstance(value, Mapping):
        return [input_text(name, shape) for name, shape in value.items()]
    if isinstance(value, Mapping):
        return [f"{name}={element_text(one)}" for name, one in value.items()]
    if isinstance(value, (str, os.PathLike, int)):
        return [element_text(value)]
    return [text for one in value for text in values_of(keyword, one)]


def keyword_of(flag):
    """The keyword of a flag: inputs for --input; the words of the language get an underscore, as in for_."""
    name = "inputs" if flag == "input" else flag.replace("-", "_")
    return f"{name}_" if iskeyword(name) else name


def arguments_of(options):
    """The command line for keywords and their values; None, False and empty ones are left out. Raises TypeError for all
    that do not fit."""
    kinds = {keyword_of(flag): (flag, kind) for flag, kind in _load.converter().convert_flags()}
    arguments, problems = [], []
    for keyword, value in options.items():
        if value is None or value is False:
            continue
        if keyword not in kinds:
            problems.append(f"there is no option '{keyword}'")
            continue
        flag, kind = kinds[keyword]
        if kind == "flag":
            arguments.append(f"--{flag}")
            continue
        try:
            texts = values_of(keyword, value)
        except (TypeError, ValueError) as error:
            problems.append(f"{keyword}={value!r}: {error}")
            continue
        if kind == "one" and len(texts) != 1:
            problems.append(f"{keyword}={value!r}: want one value")
        arguments += [f"--{flag}={text}" for text in texts]
    if problems:
        raise TypeError("; ".join(problems))
    return arguments


def convert(model: str | os.PathLike, plan: str | os.PathLike, inputs: Mapping[str, Shape] | Iterable[str] | None = None, *,
            set: Mapping[str, Any] | None = None, output: str | Iterable[str] | None = None, max: Mapping[str, int] | None = None,
            signature: str | Iterable[str] | None = None, tag: str | Iterable[str] | None = None, checkpoint: str | os.PathLike | None = None, unroll: str | int | None = None,
            algebra: str | None = None, cpu_precision: str | None = None, weights: str | None = None, weight_order: str | None = None, strips: str | None = None, keep_inputs: bool = False, place: str | None = None, for_: str | None = None,
            gpu_precision: str | None = None, place_node: Mapping[str, str] | None = None, device_profile: str | os.PathLike | None = None, explain_placement: bool = False,
            report: str | os.PathLike | Iterable[str | os.PathLike] | None = None,
            dump_after: str | None = None, dump_dir: str | os.PathLike | None = None,
            progress: bool | Callable[[str], Any] | None = None) -> Report:
    """Turns a model (GraphDef .pb or .pbtxt, SavedModel folder, tfjs model.json) into the plan in the file `plan`.

    inputs: name -> shape, for example {"x": (1, 224, 224, 3)}; None as an extent: as the model says; a pair (1, 128): may vary from
        run to run. A name that is no placeholder becomes an input.
    progress: a function that is called with each stage; True or False: a line is shown, or none; None: shown in notebooks and on
        terminals.
    The other keywords are the options of `linnet convert`, which `linnet convert --help` describes: those that may be given
    several times take lists, NAME=VALUE takes dictionaries.

    Raises ConversionError, which lists everything that stands against a plan; Error for what is wrong with the options and for
    files that cannot be written. The interpreter's lock is released; conversions in several threads wait for each other."""
    keywords = dict(locals())
    for other in ("model", "plan", "progress"):
        del keywords[other]
    model, plan = (os.path.join(".", path) if path.startswith("-") else path for path in map(os.fspath, (model, plan)))
    arguments = [model, f"-o{plan}", *arguments_of(keywords)]
    line = _progress.chosen(progress)
    try:
        written = _load.converter().convert(arguments, line.show if line else None)
    finally:
        if line:
            line.clear()
    result = Report(written)
    if written.exit_code == 0:
        return result
    text = "\n".join(sentence.removeprefix("linnet: ") for sentence in written.error.splitlines())
    if result.problems:
        raise ConversionError(text, result.problems, result)
    raise Error(text)
