#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs an image for a microcontroller in qemu, compares what it computes with the host's portable answer, and prints what it takes.

  image_test.py --image IMAGE.elf --machine MACHINE --plan PLAN --linnet-run PROGRAM

Flash, RAM and instructions are printed; the latter are ticks of the processor's clock in qemu, where each instruction takes one
nanosecond. Weights must be read where they lie: the image may prepare none."""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import images

TYPES = {"f32": np.float32, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "bool": np.uint8}
TOLERANCE = 1e-6


def inputs_of(plan, linnet_run):
    """Name, type and shape of each input, from the host."""
    listing = subprocess.run([linnet_run.with_name("linnet"), "inspect", plan], check=True, capture_output=True, text=True).stdout
    rows, inside = [], False
    for line in listing.splitlines():
        inside = line.startswith("inputs") or (inside and line.startswith(" "))
        if inside:
            name, tensor = line.removeprefix("inputs").split()[:2]
            dtype, _, dims = tensor.rstrip("]").partition("[")
            rows.append((name, TYPES[dtype], [int(dim) for dim in dims.split(",") if dim]))
    return rows


def noise(inputs):
    """What platform/freestanding/report.c fills inputs with."""
    state = 1
    for i, (name, dtype, shape) in enumerate(inputs):
        values = np.zeros(shape, dtype)
        if dtype == np.float32:
            for k in range(values.size):
                state = (state * 1664525 + 1013904223) % 2**32
                values.reshape(-1)[k] = np.float32(state >> 8) / np.float32(2**24) * np.float32(1 + 50 * i)
        yield name, values


def host_outputs(plan, linnet_run):
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        # As images do, the backend `plain` adds the products of a sum one after the other. Others add in another order: with this noise
        # the results of liveness then differ by up to 2e-6, also between instruction sets of the host.
        command = [linnet_run, plan, "--backend", "plain", "--output-dir", scratch / "outputs"]
        for i, (name, values) in enumerate(noise(inputs_of(plan, linnet_run))):
            np.save(scratch / f"{i}.npy", values)
            command += ["--input", f"{name}={scratch / f'{i}.npy'}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return {file.stem: np.load(file) for file in (scratch / "outputs").glob("*.npy")}


def compare(lines, want):
    outputs = [line.split()[1:] for line in lines if line.startswith("output ")]
    if sorted(name for name, *_ in outputs) != sorted(want):
        sys.exit(f"the image has the outputs {[name for name, *_ in outputs]}, the host {list(want)}")
    worst = 0.0
    for name, dtype, digits in outputs:
        got = np.frombuffer(bytes.fromhex(digits), TYPES[dtype]).reshape(want[name].shape)
        if np.ptp(want[name]) == 0 and want[name].size > 1:
            sys.exit(f"the output {name} is the same everywhere, so this test shows nothing")
        np.testing.assert_allclose(got, want[name], rtol=TOLERANCE, atol=TOLERANCE, err_msg=name)
        worst = max(worst, float(np.max(np.abs(got.astype(np.float64) - want[name]))))
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("image", "plan", "linnet-run"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--machine", choices=images.TICK_NS, required=True)
    arguments = parser.parse_args()
    lines = images.run(arguments.image, arguments.machine)
    worst = compare(lines, host_outputs(arguments.plan, arguments.linnet_run))
    memory = {name: int(size) for word, name, size in (line.split() for line in lines if line.startswith("memory "))}
    ticks = {name: int(count) for word, name, count in (line.split() for line in lines if line.startswith("ticks "))}
    sizes = images.parts(pathlib.Path(f"{arguments.image}.map"))
    flash = sizes["code"] + sizes["library"] + sizes["plan"] + sizes["data"]
    million = {name: count * images.TICK_NS[arguments.machine] / 1e6 for name, count in ticks.items()}
    print(f"{arguments.image.stem} on {arguments.machine}: flash {flash} bytes (code {sizes['code']}, C library {sizes['library']}, plan "
          f"{sizes['plan']}), RAM {sizes['data'] + sizes['bss'] + memory['stack']} bytes (session {memory['session']}, opened plan "
          f"{memory['opened']}, stack {memory['stack']}), prepared weights {memory['prepared']} bytes, instructions "
          f"{million['run']:.2f} million a run, {million['creation']:.2f} million until then; worst difference {worst:.1e}")
    if memory["prepared"] != 0:
        sys.exit(f"{memory['prepared']} bytes of weights are prepared in RAM")


if __name__ == "__main__":
    main()
