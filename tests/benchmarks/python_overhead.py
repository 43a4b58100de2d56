#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a run costs in Python when the model costs nothing: one Relu of 16 floats, by Linnet, LiteRT and ONNX Runtime.

    python python_overhead.py [--rounds N] [--linnet-run PATH]

Needs the Python package (`pip install .`); measures the other engines where they are installed (requirements.txt). The engines take
turns; a figure is the median of the rounds' means. With --linnet-run it has the time of the same run in the C API beside it. Fails
when a run on views takes more than 3 us longer than that (or than nothing), or a run by dictionaries more than 10 us.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import linnet

MOST_US_ON_VIEWS, MOST_US_BY_DICT = 3.0, 10.0
CALLS = 2000
GRAPH = """node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 16 } } } } }
node { name: "y" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
"""
X = np.linspace(-1, 1, 16, dtype=np.float32)


def linnet_rows(folder):
    (folder / "relu.pbtxt").write_text(GRAPH)
    linnet.convert(folder / "relu.pbtxt", folder / "relu.linnet", progress=False)
    session = linnet.Session(linnet.Plan(folder / "relu.linnet"))
    out = {"y": np.empty(16, np.float32)}
    x, y = session.input("x"), session.output("y")

    def on_views():
        session.run()

    def with_views_written():
        x[:] = X
        session.run()
        return y
    yield "Linnet, run() on views", on_views, None
    yield "Linnet, views: write, run()", with_views_written, with_views_written
    yield "Linnet, run({name: array})", lambda: session.run({"x": X}), lambda: session.run({"x": X})["y"]
    yield "Linnet, run(..., out=)", lambda: session.run({"x": X}, out), lambda: session.run({"x": X}, out)["y"]


def litert_rows(folder):
    import flatbuffers
    from ai_edge_litert import schema_py_generated as schema
    from ai_edge_litert.interpreter import Interpreter
    model, graph = schema.ModelT(), schema.SubGraphT()
    code, operator = schema.OperatorCodeT(), schema.OperatorT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.RELU
    graph.tensors = []
    for name in (b"x", b"y"):
        tensor = schema.TensorT()
        tensor.name, tensor.shape, tensor.type, tensor.buffer = name, [16], schema.TensorType.FLOAT32, 0
        graph.tensors.append(tensor)
    operator.opcodeIndex, operator.inputs, operator.outputs = 0, [0], [1]
    graph.inputs, graph.outputs, graph.operators, graph.name = [0], [1], [operator], b"main"
    model.version, model.operatorCodes, model.subgraphs, model.buffers = 3, [code], [graph], [schema.BufferT()]
    builder = flatbuffers.Builder()
    builder.Finish(model.Pack(builder), b"TFL3")
    interpreter = Interpreter(model_content=bytes(builder.Output()), num_threads=1)
    interpreter.allocate_tensors()
    source, target = interpreter.get_input_details()[0]["index"], interpreter.get_output_details()[0]["index"]

    def copied():
        interpreter.set_tensor(source, X)
        interpreter.invoke()
        return interpreter.get_tensor(target)
    yield "LiteRT, invoke() alone", interpreter.invoke, None
    yield "LiteRT, set_tensor, invoke(), get_tensor", copied, copied


def onnx_rows(folder):
    import onnx
    import onnxruntime
    helper, single = onnx.helper, onnx.TensorProto.FLOAT
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "relu",
                              [helper.make_tensor_value_info("x", single, [16])],
                              [helper.make_tensor_value_info("y", single, [16])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    binding, y = session.io_binding(), np.empty(16, np.float32)
    binding.bind_cpu_input("x", X)
    binding.bind_output("y", "cpu", 0, np.float32, y.shape, y.ctypes.data)
    yield "ONNX Runtime, run_with_iobinding()", lambda: session.run_with_iobinding(binding), None
    yield "ONNX Runtime, run(None, {name: array})", lambda: session.run(None, {"x": X}), lambda: session.run(None, {"x": X})[0]


def all_rows(folder):
    for rows in (linnet_rows, litert_rows, onnx_rows):
        try:
            yield from rows(folder)
        except ImportError as error:
            print(f"left out: {error}")


def c_api_us(program, plan):
    """The median time of a run, as linnet-run measures it."""
    done = subprocess.run([program, plan, "--bench", "--json"], capture_output=True, text=True, check=True)
    return 1000 * json.loads(done.stdout)["median_ms"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--linnet-run", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = list(all_rows(folder))
        for row, _, result in rows:
            if result and not np.array_equal(result(), np.maximum(X, 0)):
                sys.exit(f"{row}: computes something else")
        us = {row: [] for row, _, _ in rows}
        for _ in range(arguments.rounds):
            for row, call, _ in rows:
                started = time.perf_counter_ns()
                for _ in range(CALLS):
                    call()
                us[row].append((time.perf_counter_ns() - started) / 1000 / CALLS)
        native = c_api_us(arguments.linnet_run, folder / "relu.linnet") if arguments.linnet_run else 0.0
    if native:
        print(f"{native:8.2f} us  the C API")
    for row, times in us.items():
        print(f"{statistics.median(times):8.2f} us  {row}  (least {min(times):.2f})")
    on_views = statistics.median(us["Linnet, run() on views"]) - native
    by_dict = statistics.median(us["Linnet, run({name: array})"])
    if on_views > MOST_US_ON_VIEWS or by_dict > MOST_US_BY_DICT:
        sys.exit(f"too slow: views cost {on_views:.2f} us, want {MOST_US_ON_VIEWS}; dictionaries {by_dict:.2f}, want {MOST_US_BY_DICT}")


if __name__ == "__main__":
    main()
