// SPDX-License-Identifier: Apache-2.0
// An untrusted .linnet file: opening, preparing and running it must end with an error or a result.
#include <cstdint>
#include <cstring>
#include <vector>

#include "runtime/plan/file_header.h"
#include "tests/fuzz/run_plan.h"

namespace {

// Corrects the file size in the header, so that inserted or removed bytes do not fail for that
// alone.
std::vector<uint8_t> WithItsSize(const uint8_t* data, size_t size) {
  std::vector<uint8_t> file(data, data + size);
  linnet::FileHeader header;
  if (size < sizeof(header)) return file;
  std::memcpy(&header, data, sizeof(header));
  header.file_bytes = size;
  std::memcpy(file.data(), &header, sizeof(header));
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<uint8_t> file = WithItsSize(data, size);
  linnet_plan* plan = nullptr;
  linnet_error error;
  if (linnet_plan_open_memory(file.data(), file.size(), nullptr, &plan, &error) != LINNET_OK)
    return 0;
  linnet::RunIfCheap(plan, LINNET_BACKEND_PORTABLE);
  linnet::RunIfCheap(plan, LINNET_BACKEND_CPU);
  linnet_plan_close(plan);
  return 0;
}
