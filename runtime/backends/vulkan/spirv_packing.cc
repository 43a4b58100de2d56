// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/spirv_packing.h"

#include <iterator>

namespace linnet::vulkan {
namespace {

constexpr uint32_t kHeaderWords = 5;
constexpr uint32_t kHeader[kHeaderWords] = {0x07230203, 0x00010300, 0x000d000b, 0, 0};
constexpr uint32_t kBoundWord = 3;
constexpr uint8_t kOtherCount = 0x80;

enum Kind : uint8_t { kNumber, kResult, kId };
constexpr int kMaxKinds = 5;

constexpr Kind KindOf(char letter) {
  return letter == 'r' ? kResult : letter == 'i' ? kId : kNumber;
}

struct Op {
  uint16_t number;
  uint8_t count;
  Kind kinds[kMaxKinds];  // of operands; the last one is that of all that follow

  template <size_t kLength>
  constexpr Op(uint16_t op, const char (&letters)[kLength], uint8_t operands)
      : number(op), count(operands), kinds{} {
    static_assert(kLength > 1 && kLength - 1 <= kMaxKinds);
    for (size_t i = 0; i < kMaxKinds; ++i)
      kinds[i] = KindOf(letters[i < kLength - 1 ? i : kLength - 2]);
  }
};

constexpr Op kOps[] = {
#define LINNET_SPIRV_OP(number, name, operands, count) Op(number, operands, count),
#include "runtime/backends/vulkan/spirv_ops.def"
#undef LINNET_SPIRV_OP
};
static_assert(std::size(kOps) <= kOtherCount);

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return at_ == bytes_.size(); }
  uint8_t Byte() {
    if (at_end()) ok_ = false;
    return ok_ ? bytes_[at_++] : uint8_t{0};
  }
  uint32_t Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      const uint8_t byte = Byte();
      value |= uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) {
        ok_ = ok_ && value <= UINT32_MAX;
        return static_cast<uint32_t>(value);
      }
    }
    ok_ = false;
    return 0;
  }
  uint32_t Word() {
    uint32_t word = 0;
    for (int shift = 0; shift < 32; shift += 8) word |= uint32_t{Byte()} << shift;
    return word;
  }

 private:
  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  bool ok_ = true;
};

// Reads the operands of one instruction. `ids`: how many have been defined.
void ReadOperands(Reader& in, const Op& op, std::span<uint32_t> operands, uint32_t& ids) {
  const uint32_t defined = ids;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Kind kind = op.kinds[i < kMaxKinds ? i : kMaxKinds - 1];
    if (kind == kResult) {
      operands[i] = ++ids;
      continue;
    }
    const uint32_t value = in.Varint();
    operands[i] = kind == kId ? defined - (value >> 1 ^ (0 - (value & 1))) : value;
  }
}

}  // namespace

uint32_t NumSpirvWords(std::span<const uint8_t> packed) {
  Reader in(packed);
  const uint32_t words = in.Varint();
  return in.ok() && words >= kHeaderWords && words <= kMaxSpirvWords ? words : 0;
}

bool UnpackSpirv(std::span<const uint8_t> packed, std::span<uint32_t> words) {
  Reader in(packed);
  if (in.Varint() != words.size() || words.size() < kHeaderWords) return false;
  const uint32_t expected = in.Word();
  for (uint32_t i = 0; i < kHeaderWords; ++i) words[i] = kHeader[i];
  uint32_t ids = 0;
  for (size_t at = kHeaderWords; at < words.size();) {
    const uint8_t code = in.Byte();
    const size_t row = code & (kOtherCount - 1);
    if (row >= std::size(kOps)) return false;
    const Op& op = kOps[row];
    const uint32_t count = (code & kOtherCount) != 0 ? in.Varint() : op.count;
    if (!in.ok() || count >= words.size() - at || count >= UINT16_MAX) return false;
    words[at] = (count + 1) << 16 | op.number;
    ReadOperands(in, op, words.subspan(at + 1, count), ids);
    at += 1 + count;
  }
  words[kBoundWord] = ids + 1;
  uint32_t checksum = 0x811c9dc5;
  for (const uint32_t word : words) checksum = (checksum ^ word) * 0x01000193;
  return in.ok() && in.at_end() && checksum == expected;
}

}  // namespace linnet::vulkan
