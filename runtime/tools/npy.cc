// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/npy.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "platform/regular_file.h"
#include "runtime/core/checked.h"
#include "runtime/core/dtype.h"
#include "runtime/core/half.h"
#include "runtime/tools/file_writer.h"

namespace linnet::tools {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

struct Descr {
  const char* text;
  linnet_dtype dtype;
};
constexpr Descr kDescrs[] = {
    {"<f4", LINNET_FLOAT32}, {"<f2", LINNET_FLOAT16}, {"<i4", LINNET_INT32}, {"<i8", LINNET_INT64},
    {"|u1", LINNET_UINT8},   {"|i1", LINNET_INT8},    {"|b1", LINNET_BOOL},  {"<i2", LINNET_INT16},
    {"<u2", LINNET_UINT16},  {"<f8", LINNET_FLOAT64},
};

int64_t ElementBytes(linnet_dtype dtype) { return DTypeBytes(static_cast<DType>(dtype)); }

// The text after `'key':` in the header's dictionary; null when absent.
const char* FindValue(const std::string& header, const char* key) {
  std::string quoted(1, '\'');
  quoted.append(key).append(1, '\'');
  const size_t at = header.find(quoted);
  if (at == std::string::npos) return nullptr;
  const size_t colon = header.find(':', at);
  if (colon == std::string::npos) return nullptr;
  const size_t value = header.find_first_not_of(' ', colon + 1);
  return value == std::string::npos ? nullptr : header.c_str() + value;
}

bool ParseDescr(const char* value, linnet_dtype* dtype) {
  if (value == nullptr || *value != '\'') return false;
  for (const Descr& descr : kDescrs) {
    const size_t length = std::strlen(descr.text);
    if (std::strncmp(value + 1, descr.text, length) != 0 || value[1 + length] != '\'') continue;
    *dtype = descr.dtype;
    return true;
  }
  return false;
}

bool ParseShape(const char* value, std::vector<int64_t>* shape) {
  if (value == nullptr || *value != '(') return false;
  for (++value; *value != ')';) {
    char* end = nullptr;
    const long long dim = std::strtoll(value, &end, 10);
    if (end == value || dim < 0) return false;
    shape->push_back(dim);
    value = end + std::strspn(end, ", ");
    if (shape->size() > 32) return false;
  }
  return true;
}

bool ParseHeader(const std::string& header, NpyArray* array) {
  const char* order = FindValue(header, "fortran_order");
  return ParseDescr(FindValue(header, "descr"), &array->dtype) && order != nullptr &&
         std::strncmp(order, "False", 5) == 0 &&
         ParseShape(FindValue(header, "shape"), &array->shape);
}

bool ReadHeader(std::FILE* file, std::string* header) {
  uint8_t start[12];
  if (std::fread(start, 1, 10, file) != 10 || std::memcmp(start, "\x93NUMPY", 6) != 0) return false;
  size_t length = start[8] | static_cast<size_t>(start[9]) << 8;
  if (start[6] >= 2) {
    if (std::fread(start + 10, 1, 2, file) != 2) return false;
    length |= static_cast<size_t>(start[10]) << 16 | static_cast<size_t>(start[11]) << 24;
  }
  if (length > 1 << 20) return false;
  header->resize(length);
  return std::fread(header->data(), 1, length, file) == length;
}

template <typename From, typename To>
void ConvertAll(const uint8_t* from, int64_t count, void* to) {
  for (int64_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, from + i * static_cast<int64_t>(sizeof(From)), sizeof(From));
    static_cast<To*>(to)[i] =
        static_cast<To>(value);  // NOLINT(bugprone-signed-char-misuse): i8 is a number
  }
}

template <typename From>
bool WidenInteger(linnet_dtype to_dtype, const uint8_t* from, int64_t count, void* to) {
  if (to_dtype == LINNET_INT32)
    ConvertAll<From, int32_t>(from, count, to);
  else if (to_dtype == LINNET_INT64)
    ConvertAll<From, int64_t>(from, count, to);
  else if (to_dtype == LINNET_FLOAT32)
    ConvertAll<From, float>(from, count, to);
  else
    return false;
  return true;
}

void WidenHalf(const uint8_t* from, int64_t count, float* to) {
  for (int64_t i = 0; i < count; ++i) {
    uint16_t half;
    std::memcpy(&half, from + i * 2, sizeof(half));
    to[i] = HalfToFloat(half);
  }
}

std::string HeaderFor(const linnet_tensor_info& info) {
  std::string shape;
  for (int i = 0; i < info.rank; ++i) shape.append(std::to_string(info.dims[i])).append(1, ',');
  const char* descr = "";
  for (const Descr& row : kDescrs)
    if (row.dtype == info.dtype) descr = row.text;
  std::string text =
      "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  text.append(
      static_cast<size_t>(AlignUp(static_cast<int64_t>(text.size()) + 11, 64)) - 11 - text.size(),
      ' ');
  text += '\n';
  const char start[] = {'\x93',
                        'N',
                        'U',
                        'M',
                        'P',
                        'Y',
                        1,
                        0,
                        static_cast<char>(text.size() & 0xff),
                        static_cast<char>(text.size() >> 8)};
  return std::string(start, sizeof(start)) + text;
}

}  // namespace

std::string TypeText(linnet_dtype dtype, const int64_t* dims, int rank) {
  std::string text = DTypeName(static_cast<DType>(dtype));
  text += '[';
  for (int i = 0; i < rank; ++i) {
    if (i > 0) text += ',';
    text += std::to_string(dims[i]);
  }
  text += ']';
  return text;
}

std::string ReadNpy(const std::string& path, NpyArray* array) {
  RegularFile opened(path.c_str());
  if (!opened.ok())
    return "cannot open " + path + ": " +
           (opened.refusal() != nullptr ? opened.refusal() : std::strerror(opened.error()));
  const File file(fdopen(opened.Release(), "rb"));
  if (file == nullptr) return "cannot open " + path + ": " + std::strerror(errno);
  std::string header;
  if (!ReadHeader(file.get(), &header)) return path + " is not a .npy file";
  if (!ParseHeader(header, array)) {
    header.erase(header.find_last_not_of(" \n") + 1);  // npos + 1 is 0
    return path +
           ": want a little-endian array in C order of a numeric type and a shape of numbers that "
           "are not negative, the header says " +
           header;
  }
  int64_t bytes = ElementBytes(array->dtype);
  for (int64_t dim : array->shape)
    if (!CheckedMul(bytes, dim, &bytes)) return path + " is too large";
  if (bytes > int64_t{1} << 40) return path + " is too large";
  // Reads in pieces, so that a wrong size in the header costs no memory.
  constexpr size_t kPiece = 1 << 20;
  for (auto left = static_cast<size_t>(bytes); left > 0;) {
    const size_t piece = left < kPiece ? left : kPiece;
    const size_t at = array->data.size();
    array->data.resize(at + piece);
    if (std::fread(array->data.data() + at, 1, piece, file.get()) != piece)
      return path + " is truncated";
    left -= piece;
  }
  return "";
}

std::string WriteNpy(const std::string& path, const linnet_tensor_info& info, const void* data) {
  return WriteFile(
      path, {HeaderFor(info), {static_cast<const char*>(data), static_cast<size_t>(info.bytes)}});
}

std::string CopyToTensor(const NpyArray& array, const linnet_tensor_info& info, void* to) {
  const std::string got =
      TypeText(array.dtype, array.shape.data(), static_cast<int>(array.shape.size()));
  std::string problem =
      "the file holds " + got + ", the input is " + TypeText(info.dtype, info.dims, info.rank);
  if (static_cast<int>(array.shape.size()) != info.rank ||
      !std::equal(array.shape.begin(), array.shape.end(), info.dims))
    return problem;
  const int64_t count = static_cast<int64_t>(array.data.size()) / ElementBytes(array.dtype);
  if (array.dtype == info.dtype) {
    std::memcpy(to, array.data.data(), array.data.size());
    return "";
  }
  if (array.dtype == LINNET_FLOAT16 && info.dtype == LINNET_FLOAT32) {
    WidenHalf(array.data.data(), count, static_cast<float*>(to));
    return "";
  }
  if (IsRounded(array, info)) {
    ConvertAll<double, float>(array.data.data(), count, to);
    return "";
  }
  const bool widened = (array.dtype == LINNET_UINT8 &&
                        WidenInteger<uint8_t>(info.dtype, array.data.data(), count, to)) ||
                       (array.dtype == LINNET_INT8 &&
                        WidenInteger<int8_t>(info.dtype, array.data.data(), count, to));
  return widened ? "" : problem;
}

bool IsRounded(const NpyArray& array, const linnet_tensor_info& info) {
  return array.dtype == LINNET_FLOAT64 && info.dtype == LINNET_FLOAT32;
}

}  // namespace linnet::tools
