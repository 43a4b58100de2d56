# SPDX-License-Identifier: Apache-2.0
"""TensorArrays as TensorFlow 1 writes them, and each op on lists of tensors by itself."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(106)
ROWS = {"matrices": normal(g, 4, 2, 3), "scalars": normal(g, 4), "i32": np.arange(8, dtype=np.int32).reshape(4, 2),
        "bool": normal(g, 4, 3) > 0, "empty_rows": normal(g, 4, 0, 2), "one": normal(g, 1, 5)}
sequence = ROWS["matrices"]

family = Family("tensor_arrays")


class Array:
    """A TensorArrayV3 and the flow behind its last write."""

    def __init__(self, size, dtype=tf.float32, **attrs):
        self.handle, self.flow = raw.TensorArrayV3(size=size, dtype=dtype, **attrs)
        self.dtype = dtype

    def write(self, index, value):
        self.flow = raw.TensorArrayWriteV3(handle=self.handle, index=index, value=value, flow_in=self.flow)
        return self

    def scatter(self, indices, value):
        self.flow = raw.TensorArrayScatterV3(handle=self.handle, indices=indices, value=value, flow_in=self.flow)
        return self

    def split(self, value, lengths):
        self.flow = raw.TensorArraySplitV3(handle=self.handle, value=value, lengths=np.array(lengths, np.int64),
                                           flow_in=self.flow)
        return self

    def read(self, index):
        return raw.TensorArrayReadV3(handle=self.handle, index=index, flow_in=self.flow, dtype=self.dtype)

    def gather(self, indices, **attrs):
        return raw.TensorArrayGatherV3(handle=self.handle, indices=indices, flow_in=self.flow, dtype=self.dtype,
                                       **attrs)

    def concat(self, **attrs):
        return list(raw.TensorArrayConcatV3(handle=self.handle, flow_in=self.flow, dtype=self.dtype, **attrs))

    def size(self):
        return raw.TensorArraySizeV3(handle=self.handle, flow_in=self.flow)

    def close_behind(self, *values):
        with tf.control_dependencies(values):
            close = raw.TensorArrayCloseV3(handle=self.handle)
        with tf.control_dependencies([close]):
            return [tf.identity(v) for v in values]


def of_rows(x, **attrs):
    rows = x.shape[0]
    return Array(rows, x.dtype, **attrs).scatter(np.arange(rows, dtype=np.int32), x)


for name, value in ROWS.items():
    last = len(value) - 1
    family.case(f"read_{name}", lambda x: of_rows(x).read(last), {"x": value})
    family.case(f"gather_{name}", lambda x: of_rows(x, clear_after_read=False).gather([last, 0]), {"x": value})
    family.case(f"write_{name}", lambda x: Array(2, x.dtype).write(1, x[0]).write(0, x[last]).gather([0, 1]),
                {"x": value})
    family.case(f"close_{name}", lambda x: (lambda a: a.close_behind(a.read(0)))(of_rows(x)), {"x": value})
    if value.ndim > 1:
        family.case(f"concat_{name}", lambda x: of_rows(x).concat(), {"x": value})
    family.case(f"split_{name}", lambda x: Array(3, x.dtype).split(x, [0, last, 1]).read(1), {"x": value})
for name, size, attrs in (("plain", 5, {}), ("zero", 0, {}), ("one", 1, {}), ("dynamic", 3, {"dynamic_size": True}),
                          ("shaped", 4, {"element_shape": [2, 3]})):
    family.case(f"size_{name}", lambda n: Array(size, **attrs).size() * n, {"n": np.int32(1)})
family.case("size_after_growing",
            lambda x: Array(1, dynamic_size=True).write(6, x[0]).size() * tf.cast(x[0, 0, 0], tf.int32),
            {"x": np.ones_like(sequence)})
family.case("size_from_shape", lambda x: Array(tf.shape(x)[0]).write(3, x[1]).read(3), {"x": sequence})
family.case("size_for_tile", lambda x: tf.tile(x, tf.stack([of_rows(x).size(), 1, 1])), {"x": sequence})
family.case("written_in_turn", lambda x: Array(2).write(0, x[0]).write(1, x[1] * 2.0).concat(), {"x": sequence})
family.case("grown", lambda x: Array(0, dynamic_size=True).write(0, x[0]).write(1, x[1]).gather([1, 0]),
            {"x": sequence})
family.case("read_each", lambda x: (lambda a: [a.read(i) for i in range(4)])(of_rows(x)), {"x": sequence})
family.case("read_twice", lambda x: (lambda a: a.read(1) + a.read(1))(of_rows(x, clear_after_read=False)),
            {"x": sequence})
family.case("gather_none", lambda x: of_rows(x, element_shape=[2, 3]).gather(
    np.zeros(0, np.int32), element_shape=[2, 3]), {"x": sequence})
family.case("gather_with_shape", lambda x: of_rows(x).gather([3, 0, 1], element_shape=[2, None]), {"x": sequence})
family.case("scatter_some", lambda x: Array(6, element_shape=[2, 3]).scatter([5, 0, 2, 3], x).gather([0, 5]),
            {"x": sequence})
family.case("scatter_growing", lambda x: Array(1, dynamic_size=True).scatter([3, 2, 1, 0], x).gather([0, 1, 2, 3]),
            {"x": sequence})
family.case("scatter_then_write", lambda x: Array(5).scatter([0, 1, 2, 3], x).write(4, x[0] * 2.0).gather([4, 1]),
            {"x": sequence})
family.case("concat_of_lengths", lambda x: Array(2, identical_element_shapes=False).write(0, x[0]).write(
    1, x[1, :1]).concat(), {"x": sequence})
family.case("concat_with_shape", lambda x: of_rows(x).concat(element_shape_except0=[3]), {"x": sequence})
family.case("split_and_concat", lambda x: Array(3).split(x, [1, 2, 1]).concat()[0] * 2.0, {"x": sequence})
family.case("split_dynamic", lambda x: Array(0, dynamic_size=True).split(x, [3, 1]).read(0), {"x": sequence})
family.case("closed_unused", lambda x: Array(2).close_behind(x * 2.0), {"x": sequence})


def steps(x):
    """The list that a loop makes: each iteration reads one row and writes another."""
    source, target = of_rows(x), Array(4)

    def body(i, flow, total):
        row = tf.ensure_shape(source.read(3 - i), [2, 3])
        total = tf.tanh(total + row)
        return i + 1, raw.TensorArrayWriteV3(handle=target.handle, index=i, value=total, flow_in=flow), total

    _, target.flow, last = tf.while_loop(lambda i, *_: i < 4, body, (0, target.flow, tf.zeros([2, 3])))
    return [target.gather([0, 1, 2, 3]), last, target.size()]


family.case("loop", steps, {"x": sequence})
family.write()

family = Family("list_ops")


def from_rows(x):
    return raw.TensorListFromTensor(tensor=x, element_shape=x.shape[1:])


def stack(items, like, **attrs):
    return raw.TensorListStack(input_handle=items, element_shape=like.shape[1:], element_dtype=like.dtype, **attrs)


def empty(like):
    return raw.EmptyTensorList(element_shape=like.shape[1:], max_num_elements=-1, element_dtype=like.dtype)


def push(items, *tensors):
    for tensor in tensors:
        items = raw.TensorListPushBack(input_handle=items, tensor=tensor)
    return items


def pop(items, like):
    return list(raw.TensorListPopBack(input_handle=items, element_shape=like.shape[1:], element_dtype=like.dtype))


def concat(items, like, version):
    if version == 1:  # TensorFlow refuses this without the shape of an element; Linnet accepts it
        return list(raw.TensorListConcat(input_handle=items, element_dtype=like.dtype,
                                         element_shape=[None, *like.shape[2:]]))
    return list(raw.TensorListConcatV2(input_handle=items, element_dtype=like.dtype,
                                       element_shape=[-1, *like.shape[2:]],
                                       leading_dims=np.zeros(0, np.int64)))


for name, value in ROWS.items():
    n = len(value)
    order = np.arange(n, dtype=np.int32)[::-1].copy()
    family.case(f"stack_{name}", lambda x: stack(from_rows(x), x), {"x": value})
    family.case(f"push_{name}", lambda x: stack(push(empty(x), x[0], x[n - 1]), x, num_elements=2), {"x": value})
    family.case(f"pop_{name}", lambda x: pop(push(from_rows(x), x[0]), x)[1], {"x": value})
    family.case(f"scatter_{name}", lambda x: stack(raw.TensorListScatter(
        tensor=x, indices=order, element_shape=x.shape[1:]), x), {"x": value})
    family.case(f"scatter_v2_{name}", lambda x: stack(raw.TensorListScatterV2(
        tensor=x, indices=order, element_shape=x.shape[1:], num_elements=n), x), {"x": value})
    family.case(f"scatter_into_{name}", lambda x: stack(raw.TensorListScatterIntoExistingList(
        input_handle=from_rows(x), tensor=x[:1], indices=[n - 1]), x), {"x": value})
    family.case(f"gather_{name}", lambda x: raw.TensorListGather(
        input_handle=from_rows(x), indices=order, element_shape=x.shape[1:], element_dtype=x.dtype), {"x": value})
    family.case(f"concat_lists_{name}", lambda x: stack(raw.TensorListConcatLists(
        input_a=from_rows(x), input_b=push(empty(x), x[0]), element_dtype=x.dtype), x), {"x": value})
    family.case(f"resize_{name}", lambda x: stack(raw.TensorListResize(input_handle=from_rows(x), size=n + 2), x),
                {"x": value})
    family.case(f"length_{name}", lambda x, n: raw.TensorListLength(input_handle=from_rows(x)) * n,
                {"x": value, "n": np.int32(1)})
    for dtype in (tf.int32, tf.int64):
        family.case(f"element_shape_{name}_{dtype.name}", lambda x, n: raw.TensorListElementShape(
            input_handle=from_rows(x), shape_type=dtype) * n, {"x": value, "n": dtype.as_numpy_dtype(1)})
    family.case(f"split_{name}", lambda x: raw.TensorListGetItem(
        input_handle=raw.TensorListSplit(tensor=x, element_shape=[-1, *x.shape[1:]],
                                         lengths=np.array([0, n], np.int64)),
        index=1, element_shape=x.shape, element_dtype=x.dtype), {"x": value})
    if value.ndim > 1:
        for version in (1, 2):
            family.case(f"concat_v{version}_{name}", lambda x: concat(from_rows(x), x, version), {"x": value})
x = sequence
family.case("resize_to_nothing", lambda x: raw.TensorListLength(
    input_handle=raw.TensorListResize(input_handle=from_rows(x), size=0)) + 1, {"x": x})
family.case("resize_same", lambda x: stack(raw.TensorListResize(input_handle=from_rows(x), size=4), x), {"x": x})
family.case("pop_each", lambda x: (lambda first: [first[1], pop(first[0], x)[1]])(pop(from_rows(x), x)), {"x": x})
family.case("pop_and_push", lambda x: stack(push(pop(from_rows(x), x)[0], x[0] * 2.0), x), {"x": x})
family.case("push_onto_reserved", lambda x: stack(push(raw.TensorListReserve(
    element_shape=[2, 3], num_elements=1, element_dtype=tf.float32), x[1]), x), {"x": x})
family.case("pop_reserved", lambda x: pop(raw.TensorListReserve(
    element_shape=[2, 3], num_elements=2, element_dtype=tf.float32), x)[1] + x, {"x": x})
family.case("gather_none", lambda x: raw.TensorListGather(
    input_handle=from_rows(x), indices=np.zeros(0, np.int32), element_shape=[2, 3], element_dtype=tf.float32), {"x": x})
family.case("scatter_gaps", lambda x: stack(raw.TensorListScatterV2(
    tensor=x, indices=[0, 2, 5, 6], element_shape=[2, 3], num_elements=8), x), {"x": x})
family.case("length_of_empty", lambda x: raw.TensorListLength(input_handle=empty(x)) + 1, {"x": x})
family.case("concat_lists_of_itself", lambda x: (lambda l: stack(raw.TensorListConcatLists(
    input_a=l, input_b=l, element_dtype=tf.float32), x))(from_rows(x)), {"x": x})
for version in (1, 2):
    family.case(f"concat_v{version}_of_lengths", lambda x: concat(push(raw.EmptyTensorList(
        element_shape=[-1, 3], max_num_elements=9, element_dtype=tf.float32), x[0], x[1, :1]), x, version), {"x": x})
    family.case(f"concat_v{version}_used", lambda x: concat(from_rows(x * 2.0), x, version)[0] + 1.0, {"x": x})
family.case("split_and_concat", lambda x: concat(raw.TensorListSplit(
    tensor=x, element_shape=[-1, 2, 3], lengths=np.array([1, 3], np.int64)), x[None], 2)[0], {"x": x})
family.case("unknown_element_shape", lambda x: raw.TensorListStack(input_handle=push(raw.EmptyTensorList(
    element_shape=-1, max_num_elements=4, element_dtype=tf.float32), x[0], x[2]), element_shape=[-1, 3],
    element_dtype=tf.float32), {"x": x})
family.write()
