#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How conversion time grows with the graph: generated graphs of N and 10 N nodes.

  conversion_scaling.py --linnet-bin build/release/bin [--nodes 5000] [--rounds 5] [--only wide,nest] [--stages 10]

  chain     one node after the other
  wide      thousands of nodes that read one input, added up
  residual  blocks of branches that are concatenated, which are work for the memory planner
  nest      functions that call functions, 50 levels deep
  calls     one small function, called thousands of times
  branches  conditionals of TensorFlow 1, all on one predicate

Prints the median processor time and the peak memory of the whole process for both sizes and the factor between the
times; linear growth is 10. --stages shows the stages and passes that grow most. Graphs are text GraphDefs
written by this script, so only the converter is needed; nodes are counted after all functions are inlined.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

SHAPE = (1, 4, 4, 8)
FACTOR = 10
LEVELS = 50  # of functions


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--linnet-bin", type=pathlib.Path, required=True, help="folder of linnet")
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", help="graphs, separated by commas")
    parser.add_argument("--stages", type=int, default=0, help="show so many stages and passes")
    arguments = parser.parse_args()
    print(f"{'graph':10} {'nodes':>7} {'ms':>8} {'MB':>6}   {'nodes':>7} {'ms':>8} {'MB':>6}   {'factor':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.only.split(",") if arguments.only else GRAPHS:
            files = []
            for nodes in (arguments.nodes, FACTOR * arguments.nodes):
                files.append(pathlib.Path(folder, f"{name}{nodes}.pbtxt"))
                files[-1].write_text(GRAPHS[name](nodes))
            print_row(name, files, arguments)
            print_stages(files, arguments)


def print_row(name, files, arguments):
    """Rounds take turns, so that a busy machine slows both sizes."""
    samples = [[measure(arguments.linnet_bin / "linnet", file) for file in files]
               for _ in range(arguments.rounds)]
    cells = []
    for index, nodes in enumerate((arguments.nodes, FACTOR * arguments.nodes)):
        seconds = statistics.median(sample[index][0] for sample in samples)
        megabytes = max(sample[index][1] for sample in samples) / 1e6
        cells.append(f"{nodes:7} {1e3 * seconds:8.1f} {megabytes:6.1f}")
    factor = statistics.median(sample[1][0] / sample[0][0] for sample in samples)
    print(f"{name:10} {cells[0]}   {cells[1]}   {factor:6.1f}", flush=True)


def print_stages(files, arguments):
    """The stages and passes that exceed FACTOR times their time for the small graph by most."""
    if arguments.stages == 0:
        return
    small, large = (milliseconds(arguments.linnet_bin / "linnet", file) for file in files)
    excess = {name: ms - FACTOR * small.get(name, 0.0) for name, ms in large.items()}
    for name in sorted(excess, key=excess.get, reverse=True)[:arguments.stages]:
        print(f"  {name:36} {small.get(name, 0.0):8.1f} {large[name]:8.1f} ms")


def measure(linnet, file):
    """Processor seconds and peak resident bytes of one conversion."""
    usage = convert(linnet, file)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def milliseconds(linnet, file):
    """Seconds by stage (in capitals) and by pass."""
    report = file.with_suffix(".json")
    convert(linnet, file, "--report", report)
    report = json.loads(report.read_text())
    stages = {stage.upper(): ms for stage, ms in report["stages_ms"].items()}
    return stages | {run["name"]: run["ms"] for run in report["passes"]}


def convert(linnet, file, *options):
    plan = file.with_suffix(".linnet")
    process = subprocess.Popen([linnet, "convert", file, "-o", plan, *options],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{file.name}: {errors}")
    return usage


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


def nest(count):
    """Each level has its own function: half of its nodes, a call of the next level, the other half."""
    size = count // LEVELS
    library = []
    for level in range(LEVELS):
        names = [f"n{i}" for i in range(size - 1)]
        middle = len(names) // 2
        body, before = [], "a"
        for i, name in enumerate(names):
            if i == middle and level + 1 < LEVELS:
                body.append(call("inner", before, f"level{level + 1}"))
                before = "inner:output:0"
            body.append(unary("Tanh" if i % 2 else "Sin", name, before))
            before = f"{name}:y:0"
        library.append(function(f"level{level}", body, before))
    return graph([call("outer", "x", "level0")], library)


def calls(count):
    """Two levels: the function that is called thousands of times calls another one."""
    inner = function("inner", [unary("Sin", "s", "a"), unary("Tanh", "t", "s:y:0")], "t:y:0")
    outer = function("outer", [unary("Abs", "b", "a"), call("c", "b:y:0", "inner"),
                               unary("Tanh", "t", "c:output:0")], "t:y:0")
    names = ["x"] + [f"c{i}" for i in range(count // 5)]
    return graph([call(names[i + 1], names[i], "outer") for i in range(count // 5)], [inner, outer])


def branches(count):
    nodes = [node("Placeholder", "p", [], {"dtype": "type: DT_BOOL", "shape": "shape { }"})]
    before = "x"
    for i in range(count // 4):
        nodes += [node("Switch", f"w{i}", [before, "p"], {"T": "type: DT_FLOAT"}),
                  unary("Sin", f"f{i}", f"w{i}:0"), unary("Tanh", f"t{i}", f"w{i}:1"),
                  node("Merge", f"m{i}", [f"f{i}", f"t{i}"], {"T": "type: DT_FLOAT", "N": "i: 2"})]
        before = f"m{i}"
    return graph(nodes)


def graph(nodes, library=()):
    dims = " ".join(f"dim {{ size: {size} }}" for size in SHAPE)
    start = node("Placeholder", "x", [], {"dtype": "type: DT_FLOAT", "shape": f"shape {{ {dims} }}"})
    return start + "".join(nodes) + f'versions {{ producer: 1395 }} library {{ {"".join(library)} }}'


def function(name, body, result):
    """A function from `a` to `result`, one float tensor each."""
    ends = 'input_arg { name: "a" type: DT_FLOAT } output_arg { name: "r" type: DT_FLOAT }'
    return (f'function {{ signature {{ name: "{name}" {ends} }} ret {{ key: "r" value: "{result}" }}\n'
            + "".join(f"node_def {part[len('node '):]}" for part in body) + "}\n")


def call(name, value, callee):
    types = "list { type: DT_FLOAT }"
    return node("PartitionedCall", name, [value],
                {"Tin": types, "Tout": types, "f": f'func {{ name: "{callee}" }}'})


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


GRAPHS = {"chain": chain, "wide": wide, "residual": residual, "nest": nest, "calls": calls,
          "branches": branches}

if __name__ == "__main__":
    main()
