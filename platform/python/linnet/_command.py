# SPDX-License-Identifier: Apache-2.0
"""The command `linnet`."""
import signal
import sys

from linnet import _load


def main():
    """Is the program: its exit codes, its messages, and what signals do."""
    for ends in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(ends, signal.SIG_DFL)
    sys.exit(_load.converter().run_program(["linnet", *sys.argv[1:]]))
