# SPDX-License-Identifier: Apache-2.0
"""Sessions that are given a profile of kernels."""
import re

import numpy as np
import pytest

import linnet
from conftest import convolution

X = np.linspace(-1, 1, 16, dtype=np.float32).reshape(1, 4, 4, 1)
HEAD = ["linnet kernel profile 1", "cpu ?", "instructions ?", "kernels ?", "threads ?"]


@pytest.fixture
def net(plan):
    opened = plan(convolution(), inputs={"x": (1, 4, 4, 1)}, weight_order="rows", strips="off")
    if not any(step["kind"] for step in linnet.Session(opened).steps):
        pytest.skip("no step has a choice in a build without XNNPACK")
    return opened


def profile(opened, backend, threads=1):
    """What linnet-run --measure-kernels writes when `backend` is always the faster one. What a profile has to say of this machine is
    in the sentences by which others are refused."""
    kinds = sorted({step["kind"] for step in linnet.Session(opened).steps} - {""})
    head = list(HEAD)
    while True:
        text = "\n".join([*head, *(f"{backend}\t\t{kind}" for kind in kinds), f"end {len(kinds)}", ""])
        try:
            linnet.Session(opened, threads, kernels=text.encode())
            return text
        except linnet.Error as error:
            assert error.status == "LINNET_UNSUPPORTED"
            there, here = re.fullmatch(r"the kernel profile was made with (.*), and this is (.*): measure again .*", str(error)).groups()
            head[head.index(there)] = here


def refusal(opened, kernels, threads=1):
    with pytest.raises(linnet.Error) as caught:
        linnet.Session(opened, threads, kernels=kernels)
    return caught.value.status, str(caught.value)


def test_the_profile_decides(net):
    rules = linnet.Session(net)
    expected = rules.run({"x": X})
    for backend in ("xnnpack", "portable"):
        session = linnet.Session(net, kernels=profile(net, backend).encode())
        for by_rules, step in zip(rules.steps, session.steps, strict=True):
            assert by_rules["chosen_by"] == "rules" and by_rules["kind"] == step["kind"]
            assert step["chosen_by"] == ("profile" if step["kind"] else "rules")
            assert step["backend"] == (backend if step["kind"] else by_rules["backend"])
        for name, output in session.run({"x": X}).items():
            np.testing.assert_allclose(output, expected[name], rtol=1e-5, atol=1e-6)


def test_it_may_be_a_file(net, tmp_path):
    path = tmp_path / "board.kernels"
    path.write_text(profile(net, "portable"))
    for given in (path, str(path), path.read_bytes(), bytearray(path.read_bytes()), memoryview(path.read_bytes())):
        steps = linnet.Session(net, kernels=given).steps
        assert "profile" in {step["chosen_by"] for step in steps}
    missing = tmp_path / "none.kernels"
    assert refusal(net, missing) == ("LINNET_IO", f"{missing}: cannot read the file")
    with pytest.raises(TypeError):
        linnet.Session(net, kernels=7)


def test_damaged_ones_are_refused(net):
    good = profile(net, "xnnpack").encode()
    for damaged, why in ((b"", "line 1: it must begin as a kernel profile does"), (b"no profile", "line 1: it must begin"),
                         (good[:-len(b"end 1\n")], "it is cut off"), (good.replace(b"xnnpack\t", b"abacus\t"), "line 6: there is no such backend")):
        status, text = refusal(net, damaged)
        assert status == "LINNET_INVALID_ARGUMENT"
        assert text.startswith("the kernel profile, line ") and why in text


def test_it_is_of_so_many_threads(net):
    of_two = profile(net, "portable", threads=2).encode()
    status, text = refusal(net, of_two)
    assert status == "LINNET_UNSUPPORTED"
    assert text == "the kernel profile was made with threads 2, and this is threads 1: measure again (linnet-run --measure-kernels)"
    assert linnet.Session(net, 2, kernels=of_two).run({"x": X})["y"].shape == (1, 4, 4, 2)


def test_without_a_choice_nobody_looks_at_it(net):
    session = linnet.Session(net, backend="portable", kernels=profile(net, "xnnpack").encode())
    assert {(step["chosen_by"], step["backend"], step["kind"]) for step in session.steps} == {("rules", "portable", "")}
