# SPDX-License-Identifier: Apache-2.0
"""LiteRT: converts with TensorFlow's converter, float32, default options; runs with XNNPACK (the default)."""

from peers_timing import run_command_line


def convert(model, destination):
    import tensorflow as tf
    converter = tf.compat.v1.lite.TFLiteConverter.from_frozen_graph(
        str(model.graph),
        input_arrays=[entry["name"] for entry in model.inputs],
        output_arrays=[entry["name"] for entry in model.outputs],
        input_shapes={entry["name"]: entry["shape"] for entry in model.inputs})
    destination.write_bytes(converter.convert())


def load(path, model, threads):
    del model  # inputs and outputs keep the order given to the converter
    interpreter = Interpreter(model_path=str(path), num_threads=threads)
    interpreter.allocate_tensors()
    inputs = [details["index"] for details in interpreter.get_input_details()]
    outputs = [details["index"] for details in interpreter.get_output_details()]

    def set_inputs(feeds):
        for index, value in zip(inputs, feeds, strict=True):
            interpreter.set_tensor(index, value)

    return (set_inputs, interpreter.invoke,
            lambda: [interpreter.get_tensor(index) for index in outputs])


if __name__ == "__main__":
    from ai_edge_litert.interpreter import Interpreter  # before the clock starts
    run_command_line(__doc__, convert, load)
