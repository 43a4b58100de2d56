# SPDX-License-Identifier: Apache-2.0
"""Variables of which the model assigns a part in each run."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(156)
family = Family("assigned_parts")
start = normal(g, 4, 3)
rows = np.array([2, 0], np.int32)
updates = normal(g, 2, 3)


def case(name, assign, feeds, runs=3):
    """`assign` gets the variable and the feeds; the model returns what the variable holds afterwards, and held before."""
    def build(*fed):
        variable = tf.compat.v1.get_variable("held", initializer=start, use_resource=True)
        before = tf.identity(variable.read_value())
        with tf.control_dependencies([before]):
            assigned = assign(variable.handle, *fed)
        with tf.control_dependencies([assigned]):
            return [tf.identity(variable.read_value()), before * 2.0]

    names = ", ".join(feeds)
    family.case(name, eval(f"lambda {names}: build({names})", {"build": build}), feeds, runs=runs)


for op in ("Update", "Add", "Sub", "Max", "Min"):
    nd, plain = getattr(raw, f"ResourceScatterNd{op}"), getattr(raw, f"ResourceScatter{op}")
    low = op.lower()
    case(f"nd_{low}_rows", lambda v, i, u, nd=nd: nd(ref=v, indices=i, updates=u), {"i": rows[:, None], "u": updates})
    case(f"nd_{low}_elements", lambda v, i, u, nd=nd: nd(ref=v, indices=i, updates=u),
         {"i": np.array([[1, 2], [3, 0]]), "u": updates[0, :2]})
    case(f"nd_{low}_known", lambda v, u, nd=nd: nd(ref=v, indices=[[3], [1]], updates=u), {"u": updates})
    case(f"nd_{low}_scaled", lambda v, i, u, nd=nd: nd(ref=v, indices=i, updates=u * 2.0), {"i": rows[:1, None], "u": updates[:1]})
    case(f"nd_{low}_once", lambda v, i, u, nd=nd: nd(ref=v, indices=i, updates=u), {"i": rows[:, None], "u": updates}, runs=1)
    case(f"rows_{low}", lambda v, i, u, plain=plain: plain(resource=v, indices=i, updates=u), {"i": rows, "u": updates})
    case(f"rows_{low}_one", lambda v, i, u, plain=plain: plain(resource=v, indices=i, updates=u),
         {"i": np.int32(3), "u": updates[0]})
    case(f"rows_{low}_i64", lambda v, i, u, plain=plain: plain(resource=v, indices=i, updates=u),
         {"i": rows.astype(np.int64), "u": updates})
    case(f"rows_{low}_matrix", lambda v, i, u, plain=plain: plain(resource=v, indices=i, updates=u),
         {"i": np.array([[0], [3]], np.int32), "u": updates[:, None]})
    case(f"rows_{low}_by_scalar", lambda v, u, plain=plain: plain(resource=v, indices=[1, 2], updates=u), {"u": np.float32(0.75)})
    case(f"rows_{low}_known", lambda v, u, plain=plain: plain(resource=v, indices=[1, 2], updates=u), {"u": updates})


def assign_slice(v, begin, end, value, strides=None, **masks):
    return raw.ResourceStridedSliceAssign(ref=v, begin=begin, end=end, strides=strides or [1] * tf.convert_to_tensor(end).shape[0], value=value, **masks)


case("slice_rows", lambda v, u: assign_slice(v, [1], [3], u), {"u": updates})
case("slice_column", lambda v, u: assign_slice(v, [0, 1], [0, 2], u, begin_mask=1, end_mask=1), {"u": start[:, :1] * 2})
case("slice_row_of_one", lambda v, u: assign_slice(v, [2, 0], [3, 0], u, end_mask=2, shrink_axis_mask=1), {"u": updates[0]})
case("slice_all", lambda v, u: assign_slice(v, [0], [4], u), {"u": start + 1})
case("slice_steps", lambda v, u: assign_slice(v, [0], [4], u, [2]), {"u": updates})
case("slice_back", lambda v, u: assign_slice(v, [3], [1], u, [-1]), {"u": updates})
case("slice_fed_row", lambda v, i, u: assign_slice(v, tf.stack([i, 0]), tf.stack([i + 1, 0]), u, end_mask=2),
     {"i": np.int32(3), "u": updates[:1]})
case("slice_fed_part", lambda v, i, u: assign_slice(v, tf.stack([1, i]), tf.stack([3, i + 2]), u),
     {"i": np.int32(1), "u": updates[:, :2]})
family.write()
