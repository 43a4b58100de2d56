#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes the commands (sh) of README.md's quick start, of runtime/include/linnet/gpu.md and of runtime/tools/README.md as they stand there, on small models;
converts with the device profile (json) of converter/place/README.md; compiles the c of platform/freestanding/README.md with the header
that it includes, of a small model; and compares the graphs (text) in converter/README.md with what
the command above them writes.

    commands_test.py PROGRAMS PROTOC     PROGRAMS: the folder with linnet and linnet-run
"""
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS, PROTOC = pathlib.Path(), ""
CONVERTER = "converter/README.md"


def blocks(page, language, section=""):
    """The blocks of a language in a page, or in one section of it."""
    text = (ROOT / page).read_text()
    if section:
        text = re.search(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def node(name, op, *inputs, **attributes):
    feeds = "".join(f' input: "{one}"' for one in inputs)
    values = "".join(f' attr {{ key: "{key}" value {{ {value} }} }}' for key, value in attributes.items())
    return f'node {{ name: "{name}" op: "{op}"{feeds}{values} }}\n'


def shape(*dims):
    return "shape { " + " ".join(f"dim {{ size: {dim} }}" for dim in dims) + " }"


FLOAT = "type: DT_FLOAT"


def constant(name, dims, values):
    numbers = " ".join(f"float_val: {value:g}" for value in values)
    return node(name, "Const", dtype=FLOAT, value=f"tensor {{ dtype: DT_FLOAT tensor_{shape(*dims)} {numbers} }}")


def convolution(*dims, padding="SAME"):
    """conv.pbtxt of converter/README.md."""
    return (node("x", "Placeholder", dtype=FLOAT, shape=shape(*dims))
            + constant("w", (3, 3, 3, 4), [((7 * i) % 11 - 5) / 16 for i in range(108)]) + constant("b", (4,), [0.5, 0, -1, 2])
            + node("conv", "Conv2D", "x", "w", T=FLOAT, padding=f's: "{padding}"', strides="list { i: 1 i: 2 i: 2 i: 1 }")
            + node("bias", "BiasAdd", "conv", "b", T=FLOAT) + node("relu", "Relu", "bias", T=FLOAT) + node("out", "Identity", "relu", T=FLOAT))


def encoder():
    """Texts as rows of ids, to vectors."""
    table = constant("table", (50, 4), [i / 8 for i in range(200)])
    axis = node("axis", "Const", dtype="type: DT_INT32", value="tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 }")
    return (node("ids", "Placeholder", dtype="type: DT_INT32", shape=shape(-1, -1)) + table + axis
            + node("vectors", "GatherV2", "table", "ids", "axis", Tparams=FLOAT, Tindices="type: DT_INT32", Taxis="type: DT_INT32"))


def saved_model(graph, source, dtype, dims, result):
    def tensor(name, kind, where):
        return f'{{ name: "{name}:0" dtype: {kind} tensor_{where} }}'
    return (f"saved_model_schema_version: 1 meta_graphs {{ meta_info_def {{ tags: \"serve\" }} graph_def {{ {graph} }}\n"
            f'signature_def {{ key: "serving_default" value {{ inputs {{ key: "{source}" value {tensor(source, dtype, shape(*dims))} }}\n'
            f'outputs {{ key: "output" value {tensor(result, "DT_FLOAT", "shape { unknown_rank: true }")} }} }} }} }}\n')


class CommandsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def put(self, name, text):
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    def put_binary(self, name, graph):
        made = subprocess.run([PROTOC, f"--proto_path={ROOT}", "--encode=linnet.tf.GraphDef", ROOT / "schema/tensorflow/graph.proto"],
                              input=graph.encode(), capture_output=True, check=True)
        (self.folder / name).write_bytes(made.stdout)

    def run_lines(self, lines):
        """Runs them as one script that ends at the first failure. Returns all that it prints."""
        environment = {**os.environ, "PATH": f"{PROGRAMS}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", lines], cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, f"{lines}\n{done.stdout}")
        return done.stdout

    def put_picture(self, name):
        """A grey PNG of 5 x 4 pixels."""
        def chunk(kind, body):
            return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        header = struct.pack(">IIBBBBB", 5, 4, 8, 0, 0, 0, 0)
        rows = zlib.compress((b"\0" + b"\x80" * 5) * 4)
        (self.folder / name).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))

    def size(self, name):
        return (self.folder / name).stat().st_size

    def test_quick_start(self):
        lines, = blocks("README.md", "sh", "Quick start")
        self.put_binary("model.pb", convolution(1, 8, 8, 3))
        self.put_binary("net.pb", convolution(-1, -1, -1, 3, padding="VALID"))
        self.put_binary("trained.pb", node("x", "Placeholder", dtype=FLOAT, shape=shape(4)) +
                        node("keep_prob", "Placeholder", dtype=FLOAT, shape=shape()) +
                        node("kept", "Mul", "x", "keep_prob", T=FLOAT) + node("y", "Exp", "kept", T=FLOAT))
        self.put("exported/saved_model.pbtxt", saved_model(convolution(1, 8, 8, 3), "x", "DT_FLOAT", (1, 8, 8, 3), "out"))
        self.put("encoder/saved_model.pbtxt", saved_model(encoder(), "ids", "DT_INT32", (-1, -1), "vectors"))
        self.put_picture("picture.png")
        self.run_lines("linnet convert model.pb -o untrusted.linnet")
        printed = self.run_lines(lines)
        for plan in ("model.linnet", "encoder.linnet", "net.linnet"):
            self.assertGreater(self.size(plan), 500)
        self.assertIn("<!DOCTYPE html>", (self.folder / "report.html").read_text())
        self.assertRegex(printed, r"picture.png, 5x4, as 8x8 pixels with values 0..1\nout  f32\[1,4,4,4\]  ")
        self.assertRegex(printed, r"ids i32\[1,1\.\.128\]")
        self.assertNotIn("keep_prob", self.run_lines("linnet inspect trained.linnet"))
        self.assertRegex(self.run_lines("linnet inspect net.linnet"), r"x f32\[1,64\.\.512,64\.\.512,3\]")

    def test_no_other_block_names_this_test(self):
        mark = "<!-- tested-by: tests/site/commands_test.py -->"
        marked = {file.relative_to(ROOT).as_posix(): file.read_text().count(mark) for file in ROOT.glob("[!b.]*/**/*.md")}
        marked["README.md"] = (ROOT / "README.md").read_text().count(mark)
        self.assertEqual({file: count for file, count in marked.items() if count},
                         {"README.md": 1, "runtime/include/linnet/gpu.md": 1, "converter/place/README.md": 1, CONVERTER: 3,
                          "platform/freestanding/README.md": 1, "runtime/tools/README.md": 1})

    def test_gpus(self):
        lines, = blocks("runtime/include/linnet/gpu.md", "sh")
        self.put_binary("model.pb", convolution(1, 8, 8, 3))
        self.run_lines(lines)
        self.assertGreater(self.size("model.linnet"), 500)

    def test_kernel_profile(self):
        lines, = blocks("runtime/tools/README.md", "sh")
        self.put_binary("model.pb", convolution(1, 8, 8, 3))
        self.run_lines("linnet convert model.pb -o model.linnet")
        self.assertIn("chosen by", self.run_lines(lines))
        shown, = blocks("runtime/tools/README.md", "text")
        heads = [[line.split()[0] for line in text.splitlines()[:6]] for text in (shown, (self.folder / "board.kernels").read_text())]
        self.assertEqual(heads[0], heads[1], "the format")

    def test_device_profile(self):
        profile, = blocks("converter/place/README.md", "json")
        self.put("model.pbtxt", convolution(1, 8, 8, 3))
        command = "linnet convert model.pbtxt -o model.linnet --place auto --explain-placement --device-profile profile.json"
        self.put("profile.json", profile.replace("flops_per_s", "flops_per_hour"))
        with self.assertRaisesRegex(AssertionError, "flops_per_hour"):
            self.run_lines(command)
        self.put("profile.json", profile)
        self.run_lines(command)

    def test_memory_of_firmware(self):
        code, = blocks("platform/freestanding/README.md", "c")
        self.put("model.pbtxt", convolution(1, 8, 8, 3))
        self.run_lines("linnet convert model.pbtxt -o model.linnet\nlinnet embed model.linnet -o . --write plans --plain-weights --single-threaded")
        self.put("firmware.c", code)
        self.run_lines(f"cc -std=c99 -Wall -Wno-unused -Werror -fsyntax-only -I. -I'{ROOT}/platform/freestanding' -I'{ROOT}/runtime/include' firmware.c")

    def test_one_graph_stage_by_stage(self):
        command = re.search(r"`(linnet convert conv\.pbtxt .*?)`", (ROOT / CONVERTER).read_text())[1]
        shown = blocks(CONVERTER, "text")
        self.put("conv.pbtxt", convolution(-1, 8, 8, 3))
        self.run_lines(command)
        dumps = sorted(self.folder.glob("*.txt"))
        after_legalize, = self.folder.glob("*_legalize.txt")
        for block, file in zip(shown, (dumps[0], after_legalize, dumps[-1]), strict=True):
            self.assertEqual(block, file.read_text(), f"{CONVERTER}: {file.name} is different")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    PROGRAMS, PROTOC = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    del sys.argv[1:]
    unittest.main()
