#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plans of each minor version of the schema, as the converter of that time wrote them, with inputs and the outputs that numpy computes.

    python3 tests/golden/minor_plans.py

takes them from git's history and writes tests/golden/minors/*.linnet and answers.txt, which tests/runtime/api/skew_test.cc reads. They are never
written again by a newer converter. PLANS says which commit wrote each: the path is where that commit has it. To add a row for a new minor version,
leave the commit empty: the plan is then taken from the working tree, and the commit that adds the row is the one that wrote it.
"""
import pathlib
import subprocess
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests/golden/minors"
SEEDS, GOLDEN = "tests/fuzz/seeds/fuzz_plan", "tests/golden/plans"


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def ramp(*shape, scale):
    """As Ramp in tests/plans/golden_plans.cc."""
    count = int(np.prod(shape))
    return np.array([scale * ((i * 37) % 23 - 11) for i in range(count)], np.float32).reshape(shape)


def conv3x3(x, filters, bias):
    """Stride 1, with a border of zeros, then Relu. x: [h, w, in]; filters: [out, 3, 3, in]."""
    h, w, _ = x.shape
    padded = np.pad(x.astype(np.float64), ((1, 1), (1, 1), (0, 0)))
    windows = np.stack([[padded[r:r + 3, c:c + 3] for c in range(w)] for r in range(h)])
    return np.maximum(np.einsum("hwyxi,oyxi->hwo", windows, filters.astype(np.float64)) + bias, 0)


def dense(_):
    """tests/models/data/tiny.pbtxt"""
    x = np.array([0.5, -1.0, 2.0])
    weights = np.array([[1, -1], [0.5, 2], [-0.25, 3]])
    return {"x": x}, {"probabilities": softmax(np.clip(x @ weights + [0.125, -0.5], 0, 6))}


def loop(_):
    """i = 0; while i < n: x, i = 1.5 x + i, i + 1"""
    x, n = np.array([1.0, -2.0, 0.25]), 3
    inputs = {"x": x, "n": n}
    for i in range(n):
        x = 1.5 * x + i
    return inputs, {"while/Exit": n, "result0": x}


def sums(_):
    """Of SumPlan (tests/runtime/golden_plan.h), the first run."""
    x = np.array([0.5, 1.0, -4.0])
    total = np.array([1.0, 2.0, 3.0]) + x
    return {"x": x, "index": [2]}, {"sum": total, "last": [0, 0, 0], "picked": [total[2]]}


def doubling(_):
    """LoopPlan"""
    y, limit, n = np.array([1.0, 0.5, 0.25]), 20.0, 0
    inputs = {"in0": y, "in1": limit}
    while y.sum() < limit:
        y, n = 2 * y, n + 1
    return inputs, {"out0": n, "out1": y}


def varying(_):
    """VaryingPlan with all of its 8 rows."""
    x = np.arange(24).reshape(8, 3) / 4
    keep = np.array([0, 1, 1, 0, 0, 0, 1, 0])
    return ({"x": x, "keep": keep},
            {"sum": x + [-11, 3, -6], "padded": x, "found": np.flatnonzero(keep), "rows": [8, 3]})


def small(_):
    """SmallPlan"""
    x = ramp(6, 6, 3, scale=0.125)
    filters = ramp(4, 3, 3, 3, scale=0.03).astype(np.float16)
    features = conv3x3(x, filters, ramp(4, scale=0.1))
    pooled = features.reshape(3, 2, 3, 2, 4).max(axis=(1, 3))
    logits = ramp(5, 36, scale=0.02) @ pooled.reshape(36) + ramp(5, scale=0.2)
    index = np.array([7, 0])
    return {"x": x, "index": index}, {"probabilities": softmax(logits), "picked": pooled.reshape(9, 4)[index]}


def same(x, kernel, stride, value):
    """The windows of x [h, w, c] with TensorFlow's padding SAME: [y, x, rows, columns, c]."""
    margins, counts = [], []
    for extent, taps in zip(x.shape, kernel):
        counts.append(-(-extent // stride))
        total = max((counts[-1] - 1) * stride + taps - extent, 0)
        margins.append((total // 2, total - total // 2))
    padded = np.pad(x.astype(np.float64), (*margins, (0, 0)), constant_values=value)
    return np.stack([[padded[y * stride:y * stride + kernel[0], x * stride:x * stride + kernel[1]] for x in range(counts[1])]
                     for y in range(counts[0])])


def pictures(_):
    """PicturesPlan at its largest size."""
    x = ramp(9, 12, 2, scale=0.125)
    features = np.einsum("hwyxi,oyxi->hwo", same(x, (3, 3), 2, 0), ramp(4, 3, 3, 2, scale=0.03)) + ramp(4, scale=0.1)
    joined = np.concatenate([np.maximum(features, 0), same(x, (3, 3), 2, -np.inf).max(axis=(2, 3))], 2)
    return {"x": x}, {"joined": joined, "each": np.einsum("hwyxc,yxc->hwc", same(joined, (2, 3), 3, 0), ramp(2, 3, 6, scale=0.05))}


def clamps(_):
    """Relu6, Softmax, Relu6"""
    x = ramp(2, 5, scale=0.25)
    return {"x": x}, {"y": softmax(np.clip(x, 0, 6))}


def window(weights):
    """A convolution of 4 x 4 x 16, whose weights are the plan's, in 16 bits."""
    x = ramp(4, 4, 16, scale=0.0625)
    filters = np.frombuffer(weights, np.float16, 16 * 9 * 16).reshape(16, 3, 3, 16)
    return {"x": x}, {"y": conv3x3(x, filters, 0)}


def panels(_):
    """PanelsPlan"""
    x = ramp(4, 5, 16, scale=0.125)
    features = conv3x3(x, ramp(24, 3, 3, 16, scale=0.03).astype(np.float16), ramp(24, scale=0.1))
    return {"x": x}, {"y": features @ ramp(48, 24, scale=0.05).T}


def strips(_):
    """StripsPlan"""
    x = ramp(16, 24, 2, scale=0.125)
    wide = conv3x3(x, ramp(96, 3, 3, 2, scale=0.03).astype(np.float16), ramp(96, scale=0.1))
    windows = np.einsum("hwyxc,yxc->hwc", same(wide, (3, 3), 1, 0), ramp(3, 3, 96, scale=0.05)) + ramp(96, scale=0.02)
    return {"x": x}, {"y": np.clip(windows, 0, 6) @ ramp(2, 96, scale=0.01).T + x}


PLANS = [  # name, the commit that wrote it, its path there, what it computes
    ("minor1_dense", "74e32f97", f"{SEEDS}/tiny.linnet", dense),
    ("minor2_loop", "b76597e2", f"{SEEDS}/loop.linnet", loop),
    ("minor3_small", "7d0d7298", f"{GOLDEN}/small.linnet", small),
    ("minor3_sum", "7d0d7298", f"{GOLDEN}/sum.linnet", sums),
    ("minor3_loop", "7d0d7298", f"{GOLDEN}/loop.linnet", doubling),
    ("minor3_varying", "7d0d7298", f"{GOLDEN}/varying.linnet", varying),
    ("minor4_small", "f6a92f3d", f"{GOLDEN}/small.linnet", small),
    ("minor4_variants", "0d08c38a", f"{SEEDS}/variants.linnet", clamps),
    ("minor5_small", "ea4f77ef", f"{GOLDEN}/small.linnet", small),
    ("minor5_names", "9864b825", f"{SEEDS}/names.linnet", dense),
    ("minor6_small", "35059a82", f"{GOLDEN}/small.linnet", small),
    ("minor6_varying", "35059a82", f"{GOLDEN}/varying.linnet", varying),
    ("minor6_scratch", "66db4ce4", f"{SEEDS}/scratch.linnet", window),
    ("minor7_small", "abd1aa6e", f"{GOLDEN}/small.linnet", small),
    ("minor8_small", "", f"{GOLDEN}/small.linnet", small),
    ("minor8_pictures", "", f"{GOLDEN}/pictures.linnet", pictures),
    ("minor9_panels", "", f"{GOLDEN}/panels.linnet", panels),
    ("minor10_strips", "", f"{GOLDEN}/strips.linnet", strips),
]


def plan_of(commit, path):
    if not commit:
        return (ROOT / path).read_bytes()
    return subprocess.run(["git", "-C", ROOT, "show", f"{commit}:{path}"], check=True, capture_output=True).stdout


def lines_of(kind, tensors):
    return [f"{kind} {name} {' '.join(f'{value:.9g}' for value in np.ravel(values))}" for name, values in tensors.items()]


def main():
    FOLDER.mkdir(exist_ok=True)
    lines = ["# SPDX-License-Identifier: Apache-2.0", "# Written by tests/golden/minor_plans.py; skew_test.cc reads it."]
    for name, commit, path, compute in PLANS:
        target = FOLDER / f"{name}.linnet"
        # A row without a commit is not written again, since the working tree's plan becomes one of a later version.
        plan = target.read_bytes() if not commit and target.exists() else plan_of(commit, path)
        minor = int.from_bytes(plan[6:8], "little")
        if not name.startswith(f"minor{minor}_"):
            sys.exit(f"{path} of {commit or 'the working tree'} has minor version {minor}, so {name} is no name for it")
        weights = plan[int.from_bytes(plan[24:32], "little"):]
        inputs, outputs = compute(weights)
        lines += [f"plan {name}", *lines_of("input", inputs), *lines_of("output", outputs)]
        target.write_bytes(plan)
    (FOLDER / "answers.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
