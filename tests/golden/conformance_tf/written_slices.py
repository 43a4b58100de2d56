# SPDX-License-Identifier: Apache-2.0
"""Slices written into tensors, at known and at fed positions."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(156)
family = Family("written_slices")
m = normal(g, 3, 4, 2)
for name, index in (("row", np.s_[1:2]), ("column", np.s_[:, 2:3]), ("block", np.s_[1:, 1:3, :1]), ("steps", np.s_[::2, ::3]),
                    ("reversed", np.s_[:, ::-1]), ("single", np.s_[2, :, 1]), ("nothing", np.s_[3:]), ("all", np.s_[:])):
    update = (np.arange(24).reshape(3, 4, 2)[index] + 0.5).astype(np.float32)

    def written(x, u, index=index):
        bounds = index if isinstance(index, tuple) else (index,)
        spans = [b if isinstance(b, slice) else slice(b, b + 1) for b in bounds]
        mask = sum(1 << i for i, s in enumerate(spans) if s.start is None)
        ends = sum(1 << i for i, s in enumerate(spans) if s.stop is None)
        single = sum(1 << i for i, b in enumerate(bounds) if not isinstance(b, slice))
        return raw.TensorStridedSliceUpdate(input=x, begin=[s.start or 0 for s in spans], end=[s.stop or 0 for s in spans],
                                            strides=[s.step or 1 for s in spans], value=u, begin_mask=mask, end_mask=ends,
                                            shrink_axis_mask=single)

    family.case(f"written_{name}", written, {"x": m, "u": update})
family.case("written_at_fed", lambda x, i, u: raw.TensorStridedSliceUpdate(
    input=x, begin=tf.stack([0, i]), end=tf.stack([3, i + 2]), strides=[1, 1], value=u, begin_mask=1),
            {"x": m, "i": np.int32(1), "u": normal(g, 3, 2, 2)})
family.write()
