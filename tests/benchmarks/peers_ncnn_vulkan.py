# SPDX-License-Identifier: Apache-2.0
"""ncnn on Vulkan: the models of peers_ncnn.py, on the first device that the loader offers. Layers for which ncnn has
no shader run on its CPU kernels."""

import ncnn

import peers_ncnn
from peers_timing import run_command_line


def load(path, model, threads):
    if ncnn.get_gpu_count() == 0:
        raise RuntimeError("ncnn finds no Vulkan device")
    return peers_ncnn.load(path, model, threads, vulkan=True)


if __name__ == "__main__":
    run_command_line(__doc__, peers_ncnn.convert, load)
