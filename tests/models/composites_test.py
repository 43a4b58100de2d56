#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts networks of the corpus (corpus/README.md), as Keras 3 exports them, and counts the elementwise steps and reductions that are
left: what has an op of its own (layer and RMS norm, GELU, swish, hard swish) or belongs to another step (bias, range, the scale and
the mask of attention) must not be spelled out.

    composites_test.py --bin DIR --work DIR CORPUS
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

import corpus_test

ELEMENTWISE = ("Unary", "Binary", "Reduce", "Clamp", "Compare", "Select")
# What is left: residual additions, gates of squeeze-and-excite and of GLU, activations, means over pictures, and
# in net_llama the rotation of positions (three multiplications and an addition, twice) and the guard of word numbers.
WANTED = {
    "application": {
        "mobilenet_v3_small": {"HardSwish": 19, "HardSigmoid": 9, "Mul": 10, "Add": 1, "Mean": 6},
        "efficientnet_v2": {"Swish": 14, "Sigmoid": 3, "Mul": 4, "Add": 3, "Mean": 2},
        "convnext": {"GeluErf": 4, "Add": 4},
    },
    "attention": {
        "net_vit": {"GeluErf": 2, "Add": 4},
        "encoder_block_pre_norm": {"GeluErf": 1, "Add": 2},
        "encoder_block_post_norm_tfjs": {"Add": 2},
        "net_llama": {"Less": 1, "Select": 1, "Mul": 7, "Add": 5, "Swish": 1},
        "net_mlp_mixer": {"GeluErf": 2, "Add": 2, "Mean": 1},
        "net_conformer": {"Swish": 2, "Sigmoid": 1, "Mul": 2, "Add": 4},
    },
}


def left_in(arguments, row, folder):
    """The kinds of the steps that are left, and how many there are of each."""
    converted = corpus_test.convert(arguments, row["file"], row["options"], folder)
    if converted.code != corpus_test.GOOD:
        sys.exit(f"{row['name']}: {converted.output}")
    described = subprocess.run([arguments.bin / "linnet", "inspect", folder / "plan.linnet", "--format", "json"], check=True,
                               capture_output=True).stdout
    steps = [step for step in json.loads(described)["steps"] if step["op"] in ELEMENTWISE]
    kinds = [re.search(r"kind: (\w+)", step["attributes"]) for step in steps]
    return dict(collections.Counter(kind[1] if kind else step["op"] for kind, step in zip(kinds, steps)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for the unpacked models")
    parser.add_argument("corpus", type=pathlib.Path)
    arguments = parser.parse_args()
    problems = []
    for topic, networks in WANTED.items():
        models = {row["name"]: (row, folder)
                  for row, folder in corpus_test.unpack(arguments.corpus / f"{topic}.zip", arguments.work / topic)}
        for name, wanted in networks.items():
            left = left_in(arguments, *models[name])
            print(f"{name:32} {left}")
            if left != wanted:
                problems.append(f"{name} has {left}, want {wanted}")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
