// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/hazards.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace linnet::vulkan {
namespace {

Access Read(int64_t begin, int64_t end, int buffer = 0) { return {buffer, begin, end, false}; }
Access Write(int64_t begin, int64_t end, int buffer = 0) { return {buffer, begin, end, true}; }

// One character per dispatch: '|' for a barrier before it, '.' for none.
std::string Barriers(const std::vector<std::vector<Access>>& dispatches) {
  HazardFinder hazards;
  std::string text;
  for (const auto& accesses : dispatches) text += hazards.NeedsBarrier(accesses) ? '|' : '.';
  return text;
}

TEST(Hazards, ReadAfterWrite) {
  EXPECT_EQ(Barriers({{Write(0, 256)}, {Read(0, 256), Write(256, 512)}}), ".|");
}

TEST(Hazards, WriteAfterRead) {
  EXPECT_EQ(Barriers({{Read(0, 256), Write(256, 512)}, {Write(0, 256)}}), ".|");
}

TEST(Hazards, WriteAfterWrite) { EXPECT_EQ(Barriers({{Write(0, 256)}, {Write(0, 16)}}), ".|"); }

TEST(Hazards, ReadsOfTheSameBytesAreIndependent) {
  EXPECT_EQ(Barriers({{Read(0, 256), Write(256, 512)}, {Read(0, 256), Write(512, 768)}}), "..");
}

TEST(Hazards, NeighboursAreIndependent) {
  EXPECT_EQ(Barriers({{Write(256, 512)}, {Write(0, 256)}, {Write(512, 768)}}), "...");
}

TEST(Hazards, OneByteIsEnough) {
  EXPECT_EQ(Barriers({{Write(256, 512)}, {Read(0, 257)}}), ".|");
  EXPECT_EQ(Barriers({{Write(256, 512)}, {Read(511, 768)}}), ".|");
  EXPECT_EQ(Barriers({{Write(0, 1024)}, {Read(512, 516)}}), ".|");
}

TEST(Hazards, OtherBuffersAreIndependent) {
  EXPECT_EQ(Barriers({{Write(0, 256, 0)}, {Read(0, 256, 1)}, {Write(0, 256, 2)}}), "...");
}

TEST(Hazards, ADispatchMayWriteWhatItReads) {
  EXPECT_EQ(Barriers({{Read(0, 256), Write(0, 256)}}), ".");
}

TEST(Hazards, ABarrierCoversAllBeforeIt) {
  // The third reads what the first wrote, but the barrier before the second is behind that.
  EXPECT_EQ(Barriers({{Write(0, 256)},
                      {Read(0, 256), Write(256, 512)},
                      {Read(0, 256), Write(512, 768)},
                      {Read(256, 512)}}),
            ".|.|");
}

TEST(Hazards, FindsADispatchFarBehind) {
  std::vector<std::vector<Access>> dispatches = {{Write(0, 256)}};
  for (int i = 1; i <= 20; ++i) dispatches.push_back({Write(i * 256, i * 256 + 256)});
  dispatches.push_back({Read(0, 256)});
  EXPECT_EQ(Barriers(dispatches), "." + std::string(20, '.') + "|");
}

TEST(Hazards, LongRunsOfIndependentDispatchesGetABarrier) {
  std::vector<std::vector<Access>> dispatches;
  for (int i = 0; i < 1000; ++i) dispatches.push_back({Write(i * 256, i * 256 + 256)});
  const std::string barriers = Barriers(dispatches);
  EXPECT_EQ(barriers.find('|'), 64u);
  EXPECT_EQ(std::count(barriers.begin(), barriers.end(), '|'), (1000 - 1) / 64);
}

}  // namespace
}  // namespace linnet::vulkan
