#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How conversion time grows with the graph: generated graphs of N and 10 N nodes.

  conversion_scaling.py --linnet-bin build/release/bin [--nodes 5000] [--rounds 5]

  chain     one node after the other
  wide      thousands of nodes that read one input, added up
  residual  blocks of branches that are concatenated: what the memory planner has to think about

Prints the median time and peak memory of the whole process for both sizes and the factor between them; linear growth
is 10. Graphs are text GraphDefs written here, so nothing but the converter is needed.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

SHAPE = (1, 4, 4, 8)
FACTOR = 10


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--linnet-bin", type=pathlib.Path, required=True, help="folder of linnet")
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    print(f"{'graph':10} {'nodes':>7} {'ms':>8} {'MB':>6}   {'nodes':>7} {'ms':>8} {'MB':>6}   {'factor':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for name, write in GRAPHS.items():
            files = []
            for nodes in (arguments.nodes, FACTOR * arguments.nodes):
                files.append(pathlib.Path(folder, f"{name}{nodes}.pbtxt"))
                files[-1].write_text(write(nodes))
            print_row(name, files, arguments)


def print_row(name, files, arguments):
    """Rounds take turns, so that a busy machine slows both sizes."""
    samples = [[measure(arguments.linnet_bin / "linnet", file) for file in files]
               for _ in range(arguments.rounds)]
    cells = []
    for index, file in enumerate(files):
        nodes = file.read_text().count("node {")
        seconds = statistics.median(sample[index][0] for sample in samples)
        megabytes = max(sample[index][1] for sample in samples) / 1e6
        cells.append(f"{nodes:7} {1e3 * seconds:8.1f} {megabytes:6.1f}")
    factor = statistics.median(sample[1][0] / sample[0][0] for sample in samples)
    print(f"{name:10} {cells[0]}   {cells[1]}   {factor:6.1f}", flush=True)


def measure(linnet, file):
    """Seconds and peak resident bytes of one conversion."""
    plan = file.with_suffix(".linnet")
    start = time.perf_counter()
    process = subprocess.Popen([linnet, "convert", file, "-o", plan], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    errors = process.stderr.read().decode()
    status, usage = wait(process)
    if status != 0:
        sys.exit(f"{file.name}: {errors}")
    return time.perf_counter() - start, usage.ru_maxrss * 1024


def wait(process):
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage


def chain(count):
    names = ["x"] + [f"n{i}" for i in range(count - 2)]
    return graph(unary("Relu" if i % 2 else "Sin", names[i + 1], names[i]) for i in range(count - 2))


def wide(count):
    """Each branch multiplies by its own number, so that nothing is common to two."""
    branches = count // 3
    nodes = []
    for i in range(branches):
        nodes += [scalar(f"c{i}", 1 + i / branches), binary("Mul", f"m{i}", "x", f"c{i}")]
    sums = [f"m{i}" for i in range(branches)]
    while len(sums) > 1:
        level = []
        for i in range(0, len(sums) - 1, 2):
            level.append(f"a{len(nodes)}")
            nodes.append(binary("Add", level[-1], sums[i], sums[i + 1]))
        sums = level + sums[2 * len(level):]
    return graph(nodes)


def residual(count):
    """Blocks of four branches, joined by a concatenation, cut back to the old width and added."""
    nodes = [integers("axis", [3], scalar_shape=True), integers("begin", [0, 0, 0, 3]),
             integers("size", list(SHAPE))]
    before = "x"
    for block in range(count // 11):
        branches = []
        for branch in range(4):
            first, second = f"b{block}_{branch}s", f"b{block}_{branch}t"
            op = ("Sin", "Tanh", "Abs", "Exp")[branch]
            nodes += [unary(op, first, before), unary("Tanh", second, first)]
            branches.append(second)
        nodes.append(node("ConcatV2", f"j{block}", branches + ["axis"],
                          {"T": "type: DT_FLOAT", "Tidx": "type: DT_INT32", "N": "i: 4"}))
        nodes.append(node("Slice", f"s{block}", [f"j{block}", "begin", "size"],
                          {"T": "type: DT_FLOAT", "Index": "type: DT_INT32"}))
        nodes.append(binary("Add", f"r{block}", f"s{block}", before))
        before = f"r{block}"
    return graph(nodes)


def graph(nodes):
    dims = " ".join(f"dim {{ size: {size} }}" for size in SHAPE)
    start = node("Placeholder", "x", [], {"dtype": "type: DT_FLOAT", "shape": f"shape {{ {dims} }}"})
    return start + "".join(nodes)


def node(op, name, inputs, attributes):
    text = f'node {{ name: "{name}" op: "{op}"' + "".join(f' input: "{i}"' for i in inputs)
    return text + "".join(f' attr {{ key: "{k}" value {{ {v} }} }}' for k, v in attributes.items()) + " }\n"


def unary(op, name, value):
    return node(op, name, [value], {"T": "type: DT_FLOAT"})


def binary(op, name, left, right):
    return node(op, name, [left, right], {"T": "type: DT_FLOAT"})


def scalar(name, value):
    return node("Const", name, [], {
        "dtype": "type: DT_FLOAT",
        "value": f"tensor {{ dtype: DT_FLOAT tensor_shape {{ }} float_val: {value} }}"})


def integers(name, values, scalar_shape=False):
    shape = "" if scalar_shape else f"dim {{ size: {len(values)} }}"
    numbers = " ".join(f"int_val: {value}" for value in values)
    return node("Const", name, [], {
        "dtype": "type: DT_INT32",
        "value": f"tensor {{ dtype: DT_INT32 tensor_shape {{ {shape} }} {numbers} }}"})


GRAPHS = {"chain": chain, "wide": wide, "residual": residual}

if __name__ == "__main__":
    main()
