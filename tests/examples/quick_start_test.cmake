# SPDX-License-Identifier: Apache-2.0
# Fails unless README.md contains the code of quick_start.cc.
# cmake -DSOURCE=... -DREADME=... -P quick_start_test.cmake
file(READ ${SOURCE} source)
string(REGEX REPLACE ".*// \\[begin\\]\n" "" source "${source}")
string(REGEX REPLACE "// \\[end\\].*" "" source "${source}")
file(READ ${README} readme)
string(FIND "${readme}" "${source}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "README.md's quick start and tests/examples/quick_start.cc differ")
endif()
