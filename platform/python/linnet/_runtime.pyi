# SPDX-License-Identifier: Apache-2.0
"""What linnet._runtime has, for editors and type checkers. nanobind writes it (tests/platform/python/stub_test.py says how), but for
the version and the exception, which are no objects of nanobind's."""
from collections.abc import Sequence
import os
from typing import Any

import numpy

__version__: str


class Error(Exception):
    """What Linnet refuses or cannot do. The text lists every problem. `status` is the name of the C API's status; `step` is the index of the plan's step that failed, or -1."""

    status: str
    step: int

class TensorInfo:
    """An input or output of a plan."""

    @property
    def name(self) -> str:
        """Its name in the model's signature; the node's name without signatures."""

    @property
    def source(self) -> str:
        """"node:output" in the TensorFlow graph."""

    @property
    def dtype(self) -> numpy.dtype: ...

    @property
    def shape(self) -> tuple[int, ...]:
        """The largest, where dimensions vary from run to run."""

    @property
    def varies(self) -> tuple[bool, ...]:
        """For each dimension, whether it may be smaller in a run."""

    @property
    def bytes(self) -> int:
        """Of a tensor of this shape."""

    def __repr__(self) -> str: ...

class Plan:
    """
    A plan that was opened and verified: from the path of a file, which must not be changed meanwhile (linnet.convert and `linnet convert` replace files instead), or from bytes. Any number of threads may use it.
    """

    def __init__(self, source: str | os.PathLike | bytes) -> None: ...

    @property
    def inputs(self) -> list[TensorInfo]:
        """Of the first signature."""

    @property
    def outputs(self) -> list[TensorInfo]:
        """Of the first signature."""

    @property
    def signatures(self) -> dict[str, tuple[list[TensorInfo], list[TensorInfo]]]:
        """Name -> (inputs, outputs)."""

    @property
    def bytes(self) -> int:
        """Of the whole plan."""

    @property
    def stats(self) -> dict[str, int]:
        """Sizes of the plan's parts, as linnet_plan_stats has them."""

    def __repr__(self) -> object: ...

class Session:
    """
    A plan ready to run, with its memory and threads. Threads that use one session wait for each other; sessions of one plan run in parallel.
    """

    def __init__(self, plan: Plan, threads: int = 1, *, signature: str | None = None, backend: str = 'auto', max_bytes: int = 0, kernels: str | os.PathLike | bytes | None = None) -> None:
        """
        `backend`: auto, cpu, portable, plain or vulkan. `max_bytes` limits the memory that an untrusted plan may take; 0: no limit. `kernels` is a profile that `linnet-run --measure-kernels` wrote on this machine with as many threads: the path of its file, or its bytes.
        """

    def run(self, inputs: dict[str, Any] | None = None, out: dict[str, numpy.ndarray] | None = None) -> Any:
        """
        Runs the plan once, without the interpreter's lock. `inputs` has an array for every input; they are copied. Without it the inputs are what their views hold. `out` has arrays for some outputs, or all. Returns all outputs, those in `out` and fresh arrays for the others; None when neither `inputs` nor `out` is given. linnet.Error lists everything that does not fit.
        """

    def input(self, name: str) -> numpy.ndarray:
        """
        The session's own memory of an input, in the shape of the next run, to write to before every run(): a run may overwrite it.
        """

    def output(self, name: str) -> numpy.ndarray:
        """
        The session's own memory of an output, in the shape of the last run. The next run overwrites it. It is not the output of a run that got memory of linnet.empty for it.
        """

    def set_input_shape(self, name: str, shape: Sequence[int]) -> None:
        """
        The shape of an input from the next run on. run(inputs) sets it itself.
        """

    @property
    def inputs(self) -> list[TensorInfo]: ...

    @property
    def outputs(self) -> list[TensorInfo]: ...

    @property
    def backend(self) -> str:
        """What runs the plan: cpu, portable, plain or vulkan."""

    @property
    def why_not_gpu(self) -> str | None:
        """One sentence; None on a GPU."""

    @property
    def memory(self) -> dict[str, int]:
        """Bytes, as linnet_memory has them."""

    @property
    def steps(self) -> list[dict[str, Any]]:
        """
        What runs, step by step; "ns" is how long each took in the last run with `profile`, "chosen_by" why its backend runs it: "plan", "profile" (`kernels`) or "rules". "kind" is its name in a profile of kernels, "" where there is no choice.
        """

    @property
    def profile(self) -> bool:
        """Whether runs measure their steps."""

    @profile.setter
    def profile(self, arg: bool, /) -> None: ...

    def reset(self) -> None:
        """Gives the model's variables their first values."""

    def cancel(self) -> None:
        """
        Makes the run in progress, or else the next one, fail. From any thread.
        """
