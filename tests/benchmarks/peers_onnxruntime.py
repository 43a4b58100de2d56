# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime: converts with tf2onnx; runs on the CPU provider with bound inputs and outputs."""

from peers_timing import run_command_line

OPSET = 18


def convert(model, destination, opset=OPSET):
    import tf2onnx
    from tensorflow.core.framework import graph_pb2
    tf2onnx.convert.from_graph_def(
        graph_pb2.GraphDef.FromString(model.graph.read_bytes()),
        input_names=[f"{entry['name']}:0" for entry in model.inputs],
        output_names=[f"{entry['name']}:0" for entry in model.outputs],
        shape_override={f"{entry['name']}:0": entry["shape"] for entry in model.inputs},
        opset=opset, output_path=str(destination))


def load(path, model, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()

    def set_inputs(feeds):
        for entry, value in zip(model.inputs, feeds, strict=True):
            binding.bind_cpu_input(f"{entry['name']}:0", value)
        for entry in model.outputs:
            binding.bind_output(f"{entry['name']}:0", "cpu")

    return set_inputs, lambda: session.run_with_iobinding(binding), binding.copy_outputs_to_cpu


if __name__ == "__main__":
    import onnxruntime  # before the clock starts
    onnxruntime.set_default_logger_severity(3)
    run_command_line(__doc__, convert, load)
