// SPDX-License-Identifier: Apache-2.0
#include "platform/python/element_type.h"

#include <bit>
#include <cstring>

namespace linnet::python {
namespace nb = nanobind;

const ElementType& ElementTypeOf(linnet_dtype dtype) {
  static constexpr ElementType kTypes[] = {
      {"void", 'V', 1},  {"float32", 'f', 4}, {"float16", 'f', 2}, {"int32", 'i', 4},
      {"int64", 'i', 8}, {"uint8", 'u', 1},   {"int8", 'i', 1},    {"bool", 'b', 1},
      {"int16", 'i', 2}, {"uint16", 'u', 2},  {"float64", 'f', 8},
  };
  static_assert(LINNET_FLOAT64 == 10 && LINNET_BOOL == 7 && LINNET_INT64 == 4);
  const bool known = dtype >= LINNET_FLOAT32 && dtype <= LINNET_FLOAT64;
  return kTypes[known ? dtype : 0];
}

nb::object NumpyType(linnet_dtype dtype) {
  return nb::module_::import_("numpy").attr("dtype")(ElementTypeOf(dtype).name);
}

nb::dlpack::dtype DlpackType(linnet_dtype dtype) {
  using Code = nb::dlpack::dtype_code;
  const ElementType& type = ElementTypeOf(dtype);
  const Code code = type.kind == 'f'   ? Code::Float
                    : type.kind == 'i' ? Code::Int
                    : type.kind == 'b' ? Code::Bool
                                       : Code::UInt;
  return {static_cast<uint8_t>(code), static_cast<uint8_t>(8 * type.bytes), 1};
}

bool FormatHolds(const char* format, Py_ssize_t item_bytes, linnet_dtype dtype) {
  const ElementType& type = ElementTypeOf(dtype);
  if (format == nullptr) format = "B";
  const char native = std::endian::native == std::endian::little ? '<' : '>';
  if (*format == '@' || *format == '=' || *format == native) ++format;
  if (item_bytes != type.bytes || std::strlen(format) != 1) return false;
  const char* letters = type.kind == 'f'   ? "efd"
                        : type.kind == 'i' ? "bhilqn"
                        : type.kind == 'b' ? "?"
                                           : "BHILQN";
  return std::strchr(letters, *format) != nullptr;
}

}  // namespace linnet::python
