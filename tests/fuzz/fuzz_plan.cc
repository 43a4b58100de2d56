// SPDX-License-Identifier: Apache-2.0
// An untrusted .linnet file: opening, preparing and running it must end with an error or a result.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
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

struct Free {
  void operator()(uint8_t* bytes) const { ::operator delete[](bytes, std::align_val_t{64}); }
};

void Run(const uint8_t* file, size_t size, uint32_t flags, linnet_backend backend) {
  const linnet_open_options options{sizeof(options), flags, nullptr, nullptr, 0};
  linnet_plan* plan = nullptr;
  linnet_error error;
  if (linnet_plan_open_memory(file, size, &options, &plan, &error) != LINNET_OK) return;
  linnet::RunIfCheap(plan, backend);
  linnet_plan_close(plan);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<uint8_t> file = WithItsSize(data, size);
  // Exactly at a multiple of 64, and no byte longer than the file.
  const std::unique_ptr<uint8_t[], Free> aligned(
      static_cast<uint8_t*>(::operator new[](file.size(), std::align_val_t{64})));
  std::copy(file.begin(), file.end(), aligned.get());
  // What the portable backend packs was copied, what the others run is read in place.
  Run(aligned.get(), size, 0, LINNET_BACKEND_PORTABLE);
  Run(aligned.get(), size, LINNET_OPEN_IN_PLACE, LINNET_BACKEND_CPU);
  Run(aligned.get(), size, LINNET_OPEN_IN_PLACE, LINNET_BACKEND_PLAIN);
  return 0;
}
