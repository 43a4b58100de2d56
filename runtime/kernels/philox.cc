// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/philox.h"

namespace linnet::kernels {
namespace {

constexpr int kRounds = 10;
constexpr uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;

constexpr uint32_t Low(uint64_t x) { return static_cast<uint32_t>(x); }
constexpr uint32_t High(uint64_t x) { return static_cast<uint32_t>(x >> 32); }

}  // namespace

Philox::Block Philox::At(uint64_t i) const {
  const uint64_t low = low_ + i;
  const uint64_t high = high_ + (low < i ? 1 : 0);
  Block x = {Low(low), High(low), Low(high), High(high)};
  uint32_t key0 = Low(key_), key1 = High(key_);
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t a = kMultiplier0 * x[0], b = kMultiplier1 * x[2];
    x = {High(b) ^ x[1] ^ key0, Low(b), High(a) ^ x[3] ^ key1, Low(a)};
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return x;
}

}  // namespace linnet::kernels
