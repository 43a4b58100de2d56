// SPDX-License-Identifier: Apache-2.0
// A checkpoint: 4 bytes with the length of the index, the index, and then every data file. A fuzzer
// cannot guess checksums, so those of the index's blocks are corrected first.
#include <algorithm>
#include <cstring>
#include <vector>

#include "converter/import/checkpoint/crc32c.h"
#include "converter/import/checkpoint/tensor_bundle.h"

namespace {

using namespace linnet::converter;

uint64_t Varint(const std::vector<std::byte>& bytes, size_t* at) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && *at < bytes.size(); shift += 7) {
    const auto byte = static_cast<uint64_t>(bytes[(*at)++]);
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) break;
  }
  return value;
}

void CorrectBlock(std::vector<std::byte>* file, uint64_t offset, uint64_t size) {
  if (offset > file->size() || size > file->size() - offset || file->size() - offset - size < 5)
    return;
  const uint32_t crc = Crc32c(std::span(*file).subspan(offset, size + 1));
  const uint32_t masked = ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
  std::memcpy(file->data() + offset + size + 1, &masked, sizeof(masked));
}

// The blocks that the index block names, one per entry, then that block itself. Nothing else is
// changed, because that could damage valid files.
void CorrectChecksums(std::vector<std::byte>* file) {
  if (file->size() < 48) return;
  size_t at = file->size() - 48;
  for (int i = 0; i < 2; ++i) Varint(*file, &at);
  const uint64_t offset = Varint(*file, &at), size = Varint(*file, &at);
  if (offset > file->size() || size > file->size() - offset) return;
  const size_t end = static_cast<size_t>(offset + size);
  at = static_cast<size_t>(offset);
  while (at < end) {
    Varint(*file, &at);  // how many bytes the key shares with the previous one
    const uint64_t key = Varint(*file, &at), value = Varint(*file, &at);
    if (at > end || key > end - at || value > end - at - key || value == 0) break;
    size_t handle = at + static_cast<size_t>(key);
    at = handle + static_cast<size_t>(value);
    const uint64_t block = Varint(*file, &handle), bytes = Varint(*file, &handle);
    if (block < offset && bytes < offset - block) CorrectBlock(file, block, bytes);
  }
  CorrectBlock(file, offset, size);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto input = std::as_bytes(std::span(data, size));
  uint32_t length = 0;
  if (size < sizeof(length)) return 0;
  std::memcpy(&length, data, sizeof(length));
  const auto rest = input.subspan(sizeof(length));
  const size_t index_bytes = std::min<size_t>(length, rest.size());
  std::vector<std::byte> index(rest.begin(), rest.begin() + static_cast<ptrdiff_t>(index_bytes));
  CorrectChecksums(&index);
  const auto bundle = TensorBundle::Open(index, [&](int, int) -> absl::StatusOr<OwnedBytes> {
    return OwnedBytes{rest.subspan(index_bytes), nullptr};
  });
  if (!bundle.ok()) return 0;
  for (const std::string& key : (*bundle)->keys()) {
    (void)(*bundle)->Read(key).ok();
    (void)(*bundle)->Read(key, {{1, 0}, {1, -1}}).ok();
    (void)(*bundle)->ReadString(key).ok();
  }
  return 0;
}
