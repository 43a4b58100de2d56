# SPDX-License-Identifier: Apache-2.0
"""Says which libraries of build.py this interpreter lacks, and fails if there is one."""
import importlib.util
import sys

LIBRARIES = {"clang": "python3-clang-14", "jinja2": "python3-jinja2", "markdown_it": "python3-markdown-it", "pygments": "python3-pygments"}


def missing():
    """One sentence, or ""."""
    lacking = [package for module, package in LIBRARIES.items() if importlib.util.find_spec(module) is None]
    return f"{sys.executable} has no {', '.join(lacking)} (toolchains/setup.sh site installs what the site needs)" if lacking else ""


if __name__ == "__main__":
    sys.exit(missing() or 0)
