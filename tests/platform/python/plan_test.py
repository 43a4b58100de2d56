# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

import linnet
from conftest import RELU, VARYING


def test_describes_inputs_and_outputs(plan):
    opened = plan(VARYING, inputs={"a": ((1, 5), 3), "b": ((1, 5), 3)})
    a, b = opened.inputs
    assert (a.name, a.source, a.dtype, a.shape, a.varies, a.bytes) == ("a", "a:0", np.dtype("float32"), (5, 3), (True, False), 60)
    assert b.name == "b"
    assert [one.name for one in opened.outputs] == ["sum", "difference"]
    assert repr(a) == "<a: float32[..5, 3]>"
    assert list(opened.signatures) == ["default"]
    inputs, outputs = opened.signatures["default"]
    assert [one.name for one in inputs] == ["a", "b"] and len(outputs) == 2


def test_tells_its_size(plan, tmp_path):
    opened = plan(RELU)
    assert opened.bytes == (tmp_path / "model.linnet").stat().st_size == opened.stats["plan_bytes"]
    assert opened.stats["steps"] == 1


def test_opens_bytes(plan, tmp_path):
    plan(RELU)
    content = (tmp_path / "model.linnet").read_bytes()
    for given in (content, bytearray(content), memoryview(content)):
        session = linnet.Session(linnet.Plan(given))
        del given
        assert session.run({"x": np.full(16, -1, np.float32)})["y"].sum() == 0


def test_refuses_what_is_no_plan(tmp_path):
    with pytest.raises(linnet.Error) as caught:
        linnet.Plan(tmp_path / "missing.linnet")
    assert caught.value.status == "LINNET_IO" and "missing.linnet" in str(caught.value) and caught.value.step == -1
    with pytest.raises(linnet.Error) as caught:
        linnet.Plan(b"this is no plan at all")
    assert caught.value.status == "LINNET_INVALID_PLAN"
    with pytest.raises(TypeError):
        linnet.Plan(3)
