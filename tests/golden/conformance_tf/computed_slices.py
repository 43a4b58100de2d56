# SPDX-License-Identifier: Apache-2.0
"""Parts of known size at positions that the model's input decides."""

import numpy as np
from tensorflow.compiler.tf2xla.ops import gen_xla_ops

from tf_cases import Family, normal, rng, tf

g = rng(153)
family = Family("computed_slices")
x = normal(g, 4, 5, 3)


def of_xla(op, *arguments):
    """What XLA makes of an op that only it computes."""
    return tf.function(lambda: op(*arguments), jit_compile=True)().numpy()


def taken(x, start, size):
    return gen_xla_ops.xla_dynamic_slice(x, start, np.array(size, start.dtype.as_numpy_dtype))


def written(x, update, start):
    return gen_xla_ops.xla_dynamic_update_slice(x, update, start)


for name, data, start, size in (
        ("row", x, [2, 0, 0], [1, 5, 3]), ("block", x, [1, 2, 1], [2, 3, 2]), ("element", x, [3, 4, 2], [1, 1, 1]),
        ("middle", x, [0, 3, 0], [4, 1, 3]), ("beyond", x, [9, 2, 0], [2, 3, 3]), ("below", x, [-3, 1, 0], [2, 3, 3]),
        ("whole", x, [1, 1, 1], [4, 5, 3]), ("nothing", x, [1, 1, 1], [2, 0, 3]), ("vector", x[0, :, 0], [2], [3]),
        ("i64", x, np.array([1, 1, 0]), [2, 2, 3]), ("i32_data", np.arange(6, dtype=np.int32), [4], [2]),
        ("bool", x > 0, [1, 0, 1], [2, 2, 2])):
    start = start if isinstance(start, np.ndarray) else np.array(start, np.int32)
    family.case(f"taken_{name}", lambda x, i, size=size: taken(x, i, size), {"x": data, "i": start},
                expected=of_xla(taken, tf.constant(data), tf.constant(start), size))
    update = np.flip(data)[tuple(slice(0, n) for n in size)].copy()
    family.case(f"written_{name}", lambda x, u, i: written(x, u, i), {"x": data, "u": update, "i": start},
                expected=of_xla(written, tf.constant(data), tf.constant(update), tf.constant(start)))
for name, build in (
        ("slice", lambda x, i: tf.slice(x, tf.stack([0, i, 0]), [4, 2, 3])),
        ("slice_rest", lambda x, i: tf.slice(x, tf.stack([1, i, 0]), [-1, 2, 3])),
        ("slice_element", lambda x, i: tf.slice(x, tf.stack([i, i, 1]), [1, 1, 1])),
        ("slice_vector", lambda x, i: tf.slice(tf.reshape(x, [60]), [i * 4], [7])),
        ("slice_i64", lambda x, i: tf.slice(x, tf.cast(tf.stack([0, i, 0]), tf.int64), np.array([2, 2, 3]))),
        ("strided_inner", lambda x, i: x[:, i]), ("strided_last", lambda x, i: x[..., 0][:, i:i + 2]),
        ("strided_run", lambda x, i: x[:, i:i + 3]), ("strided_two", lambda x, i: x[i:i + 1, i:i + 2, 1:3]),
        ("strided_mixed", lambda x, i: x[1:, i:i + 2, :2]), ("strided_known_and_fed", lambda x, i: x[2, i:i + 2, 1]),
        ("strided_of_strided", lambda x, i: x[:, i:i + 3][:, 1:, 0])):
    family.case(f"fed_{name}", build, {"x": x, "i": np.int32(1)})
family.write()
