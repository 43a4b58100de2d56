# SPDX-License-Identifier: Apache-2.0
# cmake -DIN=file -DOUT=file.cc -DNAME=kSymbol -P embed.cmake
# Writes a file's bytes as `const uint8_t kSymbol[]` and `const size_t kSymbolSize` into a source file.
file(READ ${IN} _hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," _bytes "${_hex}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" _bytes "${_bytes}")
file(WRITE ${OUT} "// Made by embed.cmake.\n#include <cstddef>\n#include <cstdint>\n"
  "namespace linnet::converter {\nextern const uint8_t ${NAME}[];\nextern const size_t ${NAME}Size;\n"
  "const uint8_t ${NAME}[] = {\n${_bytes}0};\nconst size_t ${NAME}Size = sizeof(${NAME}) - 1;\n"
  "}  // namespace linnet::converter\n")
