# SPDX-License-Identifier: Apache-2.0
"""TensorFlow and Linnet in one process, loaded in both orders: each has its own protobuf."""
import importlib.util
import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.skipif(importlib.util.find_spec("tensorflow") is None, reason="TensorFlow is not installed")

LOADS = {
    "TensorFlow first": "import tensorflow as tf\nimport linnet\nfrom linnet import _load\n_load.converter()",
    "Linnet first": "import linnet\nfrom linnet import _load\n_load.converter()\nimport tensorflow as tf",
}
WORK = """
import sys
import numpy as np

class Net(tf.Module):
    def __init__(self):
        self.w = tf.Variable(tf.random.stateless_uniform([4, 3], seed=[1, 2]))

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, name="x")])
    def __call__(self, x):
        return {"y": tf.nn.softmax(tf.matmul(x, self.w))}

folder = sys.argv[1]
net = Net()
x = np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4)
for name in ("first", "second"):
    tf.saved_model.save(net, folder + "/" + name, signatures=net.__call__)       # protobuf of TensorFlow
    linnet.convert(folder + "/" + name, folder + "/net.linnet", inputs={"x": (2, 4)})    # of the converter
    y = linnet.Session(linnet.Plan(folder + "/net.linnet")).run({"x": x})["y"]
    np.testing.assert_allclose(y, net(x)["y"].numpy(), rtol=1e-5)
    try:
        linnet.convert(folder, folder + "/no.linnet")
    except linnet.ConversionError as error:
        assert error.problems
    else:
        raise AssertionError("an empty folder is no model")
    tf.saved_model.load(folder + "/" + name)
print("both work")
"""


@pytest.mark.parametrize("order", LOADS)
def test_both_in_one_process(order, tmp_path):
    done = subprocess.run([sys.executable, "-c", LOADS[order] + textwrap.dedent(WORK), str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0 and "both work" in done.stdout, done.stderr[-4000:]
