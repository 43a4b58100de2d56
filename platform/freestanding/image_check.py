#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what is wrong with images for microcontrollers: symbols of a heap, of threads, of files, of printf, of a clock, of exceptions,
and code that would have to run before main.

  image_check.py [--nm arm-none-eabi-nm] IMAGE...
"""
import argparse
import re
import subprocess
import sys

# What no image may contain, by what it would need.
FORBIDDEN = {
    "a heap": r"_?(malloc|calloc|realloc|free|memalign|posix_memalign|aligned_alloc|sbrk)(_r)?|_Zn[wa][jm].*|_Zd[la]Pv.*",
    "threads": r"pthread_.*|.*mutex.*|__cxa_guard_.*|__gthread_.*|sem_.*|__retarget_lock_.*",
    "files": r"_?(fopen|fclose|fread|fwrite|fputs|fputc|puts|open|openat|close|read|write|lseek|stat|fstat|mmap|unlink)(_r)?|__s(init|flush_r|refill_r|wbuf_r|write|read|fp|foreach.*)",
    "printf": r"_?v?(s|f|sn|as)?n?i?printf(_r)?",
    "a clock": r"_?(clock|clock_gettime|gettimeofday|time|times|nanosleep)(_r)?",
    "an environment": r"_?(getenv|environ|__env)(_r)?",
    "exceptions": r"__cxa_(throw|rethrow|begin_catch|end_catch|allocate_exception|get_globals.*)|_Unwind_.*|__gxx_personality.*|__gnu_unwind.*|_ZSt9terminatev|_ZSt\d+__throw_.*",
    "an end of the program": r"abort|_?exit|atexit|__cxa_atexit|__aeabi_atexit|raise",
    "run-time type information": r"__dynamic_cast|_ZTI.*",
    "constructors before main": r"_GLOBAL__sub_I_.*|__libc_init_array",
}


def symbols(image, nm):
    """The names that the image defines."""
    listing = subprocess.run([nm, "--defined-only", "--format=posix", image], check=True, capture_output=True, text=True).stdout
    # The optimiser adds suffixes such as .constprop.0.
    return sorted({line.split()[0].split(".")[0] for line in listing.splitlines() if line} - {""})


def problems(image, nm):
    for need, pattern in FORBIDDEN.items():
        found = [name for name in symbols(image, nm) if re.fullmatch(pattern, name)]
        if found:
            yield f"{image} needs {need}: {', '.join(found)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nm", default="arm-none-eabi-nm")
    parser.add_argument("images", nargs="+", metavar="IMAGE")
    arguments = parser.parse_args()
    found = [problem for image in arguments.images for problem in problems(image, arguments.nm)]
    sys.exit("\n".join(found) if found else 0)


if __name__ == "__main__":
    main()
