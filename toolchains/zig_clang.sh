#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The clang in zig, as a program of its own: CMake and ccache want a compiler to be one word.
exec "$LINNET_ZIG" clang "$@"
