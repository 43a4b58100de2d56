# SPDX-License-Identifier: Apache-2.0
import gc
import threading
import time

import numpy as np
import pytest

import linnet
from conftest import RELU, VARYING, convolution, in_threads, node, placeholder

X = np.linspace(-1, 1, 16, dtype=np.float32)


@pytest.fixture
def relu(plan):
    return linnet.Session(plan(RELU))


def problems(run, *arguments, **keywords):
    with pytest.raises(linnet.Error) as caught:
        run(*arguments, **keywords)
    return str(caught.value)


def test_outputs_are_fresh_arrays(relu):
    x = X.copy()
    first = relu.run({"x": x})
    second = relu.run({"x": -x})
    assert list(first) == ["y"]
    np.testing.assert_array_equal(first["y"], np.maximum(X, 0))
    np.testing.assert_array_equal(second["y"], np.maximum(-X, 0))
    np.testing.assert_array_equal(x, X)
    assert first["y"].flags.owndata and first["y"].flags.writeable


def test_views_are_the_sessions_memory(relu):
    x, y = relu.input("x"), relu.output("y")
    for scale in (1, -2):
        x[:] = scale * X
        assert relu.run() is None
        np.testing.assert_array_equal(y, np.maximum(scale * X, 0))
    assert not y.flags.writeable and x.flags.writeable and not x.flags.owndata
    del relu
    gc.collect()
    x[:] = 1  # keeps the session alive
    assert x.sum() == 16


def test_out_is_written(relu):
    y = np.empty(16, np.float32)
    result = relu.run({"x": X}, out={"y": y})
    assert result["y"] is y
    np.testing.assert_array_equal(y, np.maximum(X, 0))
    relu.input("x")[:] = 3
    assert relu.run(out={"y": y})["y"] is y and y.sum() == 48


def test_a_run_writes_to_memory_of_linnet_empty(plan):
    session = linnet.Session(plan(RELU))
    y = linnet.empty(session.outputs[0])
    assert y.ctypes.data % 64 == 0 and y.shape == (16,) and y.dtype == np.float32
    for scale in (1, -1):
        assert session.run({"x": scale * X}, out={"y": y})["y"] is y
        np.testing.assert_array_equal(y, np.maximum(scale * X, 0))
    session.run({"x": 2 * X})
    np.testing.assert_array_equal(y, np.maximum(-X, 0))  # it is the caller's again
    np.testing.assert_array_equal(session.output("y"), np.maximum(2 * X, 0))
    session.cancel()
    with pytest.raises(linnet.Error):
        session.run({"x": X}, out={"y": y})
    session.run({"x": X})
    np.testing.assert_array_equal(session.output("y"), np.maximum(X, 0))


def test_slices_are_written_and_nothing_around_them(plan):
    session = linnet.Session(plan(RELU))
    memory = np.full(16 * 5, 7, np.float32)
    for start in range(0, 64, 3):
        memory[:] = 7
        session.run({"x": X}, out={"y": memory[start:start + 16]})
        np.testing.assert_array_equal(memory[start:start + 16], np.maximum(X, 0))
        assert (memory[:start] == 7).all() and (memory[start + 16:] == 7).all()


def test_some_outputs_may_be_given(plan):
    session = linnet.Session(plan(VARYING, inputs={"a": (2, 3), "b": (2, 3)}))
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    total = np.empty((2, 3), np.float32)
    result = session.run({"a": a, "b": a}, out={"sum": total})
    assert result["sum"] is total and list(result) == ["sum", "difference"]
    np.testing.assert_array_equal(total, 2 * a)
    assert not result["difference"].any()


@pytest.mark.parametrize("given", [list(X), tuple(X.tolist()), X[::-1][::-1], np.repeat(X, 2)[::2], memoryview(X),
                                   X.astype(">f4").astype("<f4")])
def test_what_numpy_makes_an_array_of(relu, given):
    np.testing.assert_allclose(relu.run({"x": given})["y"], np.maximum(X, 0), rtol=1e-6)


@pytest.mark.parametrize("dtype, tensorflow", [
    ("float32", "DT_FLOAT"), ("float64", "DT_DOUBLE"), ("float16", "DT_HALF"), ("int32", "DT_INT32"), ("int64", "DT_INT64"),
    ("uint8", "DT_UINT8"), ("int8", "DT_INT8"), ("int16", "DT_INT16"), ("uint16", "DT_UINT16"), ("bool", "DT_BOOL")])
def test_types(plan, dtype, tensorflow):
    session = linnet.Session(plan(placeholder("x", tensorflow, 2, 3) + node("y", "Identity", tensorflow, "x")))
    assert session.inputs[0].dtype == np.dtype(dtype)
    x = np.arange(6).reshape(2, 3).astype(dtype)
    y = session.run({"x": x})["y"]
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(session.output("y"), x)
    assert session.input("x").dtype == x.dtype
    np.testing.assert_array_equal(session.run({"x": x.tolist()})["y"], x)


def test_scalars(plan):
    session = linnet.Session(plan(placeholder("x", "DT_FLOAT") + node("y", "Neg", "DT_FLOAT", "x"), inputs={"x": ()}))
    assert session.run({"x": 1.5})["y"] == -1.5
    assert session.output("y").shape == ()


def test_shapes_that_vary(plan):
    session = linnet.Session(plan(VARYING, inputs={"a": ((1, 5), 3), "b": ((1, 5), 3)}))
    for rows in (5, 2, 1, 4):
        a = np.random.default_rng(rows).random((rows, 3), np.float32)
        result = session.run({"a": a, "b": a})
        assert result["sum"].shape == (rows, 3)
        np.testing.assert_array_equal(result["sum"], a + a)
        assert session.output("sum").shape == session.input("b").shape == (rows, 3)
    session.set_input_shape("a", (3, 3))
    session.input("a")[:] = 1
    session.run({"a": session.input("a"), "b": np.ones((3, 3), np.float32)})
    assert session.output("sum").sum() == 18
    assert "varies" not in problems(session.run, {"a": np.ones((6, 3), np.float32), "b": np.ones((6, 3), np.float32)})
    assert "shape" in problems(session.run, {"a": np.ones((2, 3), np.float32), "b": np.ones((3, 3), np.float32)})
    wrong = {"sum": np.empty((5, 3), np.float32)}
    assert "after this run" in problems(session.run, {"a": np.ones((2, 3), np.float32), "b": np.ones((2, 3), np.float32)}, wrong)


def test_one_exception_lists_all_problems(plan):
    session = linnet.Session(plan(VARYING, inputs={"a": (2, 3), "b": (2, 3)}))
    text = problems(session.run, {"a": np.zeros((2, 3)), "c": 1, 5: 2}, out={"sum": np.zeros(3, np.float32), "no": 1})
    assert text.startswith("5 problems:\n")
    for part in ("input 'a' is float64[2, 3], want float32[2, 3]", "there is no input 'c'; there is 'a', 'b'", "there is no input 5",
                 "output 'sum' is float32[3], want float32[2, 3]", "there is no output 'no'"):
        assert part in text
    assert problems(session.run, {"a": np.zeros((2, 3), np.float32)}) == "input 'b' is missing"
    assert "given twice" in problems(session.run, {"a": np.zeros((2, 3), np.float32), "a:0": np.zeros((2, 3), np.float32)})
    assert "dict" in problems(session.run, [1])
    assert problems(linnet.Session, plan(RELU), threads=0, backend="tpu").startswith("2 problems")
    assert problems(linnet.Session, plan(RELU), signature="nowhere") == "there is no signature 'nowhere'; there is 'default'"


def test_numbers_of_another_kind_are_refused(plan):
    session = linnet.Session(plan(placeholder("x", "DT_INT32", 2) + node("y", "Neg", "DT_INT32", "x")))
    assert list(session.run({"x": [1, 2]})["y"]) == [-1, -2]
    assert "float64" in problems(session.run, {"x": [1.5, 2]})
    assert problems(session.run, {"x": "text"})
    assert problems(session.run, {"x": None})


def test_outputs_that_cannot_be_written(relu):
    frozen = np.empty(16, np.float32)
    frozen.flags.writeable = False
    for given in (frozen, np.empty(32, np.float32)[::2], [0.0] * 16):
        assert "writable" in problems(relu.run, {"x": X}, out={"y": given})


def test_threads_take_turns(plan):
    session = linnet.Session(plan(RELU))
    wrong = []

    def work(seed):
        x = np.random.default_rng(seed).standard_normal(16, np.float32)
        for _ in range(500):
            if not np.array_equal(session.run({"x": x})["y"], np.maximum(x, 0)):
                wrong.append(seed)
    in_threads(work)
    assert not wrong


def test_the_interpreter_runs_meanwhile(plan):
    size = 700
    text = (placeholder("x", "DT_FLOAT", size, size) + node("square", "MatMul", "DT_FLOAT", "x", "x")
            + node("y", "MatMul", "DT_FLOAT", "square", "x"))
    session = linnet.Session(plan(text), backend="portable")
    ticks, over = [], threading.Event()

    def tick():
        while not over.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.0005)
    thread = threading.Thread(target=tick)
    thread.start()
    session.input("x")[:] = 0
    started = time.monotonic()
    session.run()
    ended = time.monotonic()
    over.set()
    thread.join()
    assert sum(started < at < ended for at in ticks) >= 3, ended - started


def test_profile_and_memory(plan):
    session = linnet.Session(plan(convolution(), inputs={"x": (1, 4, 4, 1)}), threads=2)
    assert session.steps[0]["ns"] is None
    session.profile = True
    session.run({"x": np.ones((1, 4, 4, 1), np.float32)})
    assert session.profile and session.steps[0]["op"] == "Conv2D" and session.steps[0]["ns"] > 0
    assert session.memory["arena"] > 0
    assert session.backend in ("cpu", "portable") and session.why_not_gpu


def test_cancel_and_reset(relu):
    relu.cancel()
    with pytest.raises(linnet.Error) as caught:
        relu.run({"x": X})
    assert caught.value.status == "LINNET_CANCELLED"
    relu.reset()
    assert relu.run({"x": X})["y"].shape == (16,)


def test_memory_may_be_limited(plan):
    with pytest.raises(linnet.Error) as caught:
        linnet.Session(plan(RELU), max_bytes=1)
    assert caught.value.status == "LINNET_NO_MEMORY"


def test_wants_a_plan(tmp_path):
    with pytest.raises(TypeError, match="linnet.Plan"):
        linnet.Session("model.linnet")
