# SPDX-License-Identifier: Apache-2.0
"""`python -m linnet` is the command `linnet`."""
from linnet._command import main

main()
