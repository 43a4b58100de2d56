# SPDX-License-Identifier: Apache-2.0
"""Switches of many ways, which TensorFlow makes of tf.switch_case when it lowers control flow."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(155)
family = Family("switches")
x = normal(g, 2, 3)


def switch(value, index, ways):
    number = tf.compat.v1.AttrValue(i=ways)
    return tf.compat.v1.get_default_graph().create_op("_SwitchN", [value, index], [value.dtype] * ways,
                                                      attrs={"num_outs": number}, name="switch_n").outputs


def case_of(x, index, branches):
    """The branches' results of x, merged."""
    ways = switch(x, index, len(branches))
    return raw.Merge(inputs=[branch(way) for branch, way in zip(branches, ways, strict=True)]).output


two = [lambda x: x + 1.0, lambda x: x * 3.0]
three = [*two, lambda x: tf.reverse(x, [1])]
five = [*three, lambda x: tf.nn.relu(x) - 2.0, tf.exp]
for index in (-1, 0, 1, 2, 3, 4, 9):
    family.case(f"three_{'below' if index < 0 else index}", lambda x, i: case_of(x, i, three), {"x": x, "i": np.int32(index)})
    family.case(f"five_{'below' if index < 0 else index}", lambda x, i: case_of(x, i, five), {"x": x, "i": np.int32(index)})
family.case("two_ways", lambda x, i: case_of(x, i, two), {"x": x, "i": np.int32(1)})
family.case("known_index", lambda x: case_of(x, tf.constant(1), three) * 2.0, {"x": x})
family.case("one_after_another", lambda x, i: case_of(case_of(x, i, three), 2 - i, five), {"x": x, "i": np.int32(0)})
family.case("inside", lambda x, i, j: case_of(x, i, [lambda x: case_of(x, tf.identity(j), three), *two]),
            {"x": x, "i": np.int32(2), "j": np.int32(1)})
family.case("two_values", lambda x, i: case_of(x, i, three) + case_of(x * 2.0, i, three), {"x": x, "i": np.int32(2)})


def with_constants(x, i):
    """Constants tied to their branch, and an index that goes through the same switch, as TensorFlow writes it."""
    values, pivots = switch(x, i, 3), switch(i, i, 3)
    results = []
    for number, (value, pivot) in enumerate(zip(values, pivots, strict=True)):
        with tf.control_dependencies([tf.identity(pivot)]):
            results.append(tf.identity(value) * tf.constant(number + 0.5))
    return raw.Merge(inputs=results).output


for index in (0, 1, 2):
    family.case(f"with_constants_{index}", with_constants, {"x": x, "i": np.int32(index)})
family.write()
