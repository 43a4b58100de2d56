// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/session/fake_memory.h"

#include <sys/mman.h>

#include <cstring>

#include "runtime/core/checked.h"

namespace linnet::fake {
namespace {

constexpr int64_t kPage = 64 * 1024;  // a multiple of every machine's page size
constexpr int64_t kMostBytes = 256 * kPage;

std::byte* MapPages(int64_t bytes) {
  void* pages = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<std::byte*>(pages);
}

}  // namespace

bool ClosedPages::Map(int64_t bytes) {
  if (bytes > kMostBytes) return false;
  const int64_t all = AlignUp(bytes + kPage, kPage);
  data_ = MapPages(all);
  if (data_ == nullptr) return false;
  bytes_ = bytes;
  mapped_ = all;
  // NaNs, so that bytes that were never written are visible.
  std::memset(data_, 0xff, static_cast<size_t>(all));
  Close();
  return true;
}

void ClosedPages::Unmap() {
  if (data_ != nullptr) munmap(data_, static_cast<size_t>(mapped_));
}
void ClosedPages::Open() { mprotect(data_, static_cast<size_t>(mapped_), PROT_READ | PROT_WRITE); }
void ClosedPages::Close() { mprotect(data_, static_cast<size_t>(mapped_), PROT_NONE); }

void Weights::Destroy() {
  pages.Unmap();
  --device_.counts().alive;
}

void Memory::Destroy() {
  pages.Unmap();
  if (host_ != nullptr) munmap(host_, static_cast<size_t>(host_bytes_));
  --device_.counts().alive;
}

bool Memory::MapHost(int64_t bytes) {
  if (bytes > kMostBytes) return false;
  wanted_host_bytes_ = bytes;
  host_bytes_ = AlignUp(bytes, kPage);
  host_ = MapPages(host_bytes_);
  return host_ != nullptr;
}

}  // namespace linnet::fake
