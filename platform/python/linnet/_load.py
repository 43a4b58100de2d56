# SPDX-License-Identifier: Apache-2.0
"""Loads the converter when it is needed."""
import os
import sys


def converter():
    """The module linnet._converter. It and its libraries look for symbols among themselves first: TensorFlow has another
    protobuf, which the process may have loaded for everybody."""
    flags = sys.getdlopenflags()
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_LOCAL | getattr(os, "RTLD_DEEPBIND", 0))
    try:
        from linnet import _converter
    finally:
        sys.setdlopenflags(flags)
    return _converter
