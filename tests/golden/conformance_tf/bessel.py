# SPDX-License-Identifier: Apache-2.0
"""Bessel functions, on both sides of where their formulas change."""

import numpy as np

from tf_cases import Family, raw, rng

g = rng(152)
family = Family("bessel")
near = np.linspace(0.01, 6, 37, dtype=np.float32)
far = np.geomspace(3, 60, 20).astype(np.float32)
edges = np.array([-np.inf, -20, -3.75, -1, 0, 1e-6, 1, 2, 3, 3.75, 8, 40, np.nan], np.float32)
for op in "I0 I0e I1 I1e J0 J1 K0 K0e K1 K1e Y0 Y1".split():
    f, low = getattr(raw, f"Bessel{op}"), op.lower()
    signed = near - 3 if op[0] in "IJ" else near
    for name, x in (("near", signed), ("far", far), ("edges", edges), ("scalar", np.float32(1.25)), ("empty", near[:0])):
        # The largest number of a case sets the scale of what may differ.
        family.case(f"{low}_{name}", lambda x: f(x=x), {"x": x}, tolerance=1e-5)
    family.case(f"{low}_double", lambda x: f(x=x), {"x": signed.reshape(1, 37).astype(np.float64)}, tolerance=1e-5)
    family.case(f"{low}_any_number", lambda x: f(x=x), {"x": signed}, largest={"x": [50]}, tolerance=1e-5)
family.write()
