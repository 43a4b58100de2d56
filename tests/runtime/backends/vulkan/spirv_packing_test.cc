// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/spirv_packing.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/runtime/backends/vulkan/spirv_module.h"

namespace linnet::vulkan {
namespace {

using Bytes = std::vector<uint8_t>;
using Words = std::vector<uint32_t>;

// The words of a packed module, in memory of exactly their size; empty when it is damaged.
Words Unpacked(const Bytes& packed) {
  Words words(NumSpirvWords(packed));
  if (!UnpackSpirv(packed, words)) words.clear();
  return words;
}

uint8_t RowOf(uint32_t number, uint32_t count) {
  uint8_t row = 0;
#define LINNET_SPIRV_OP(op, name, operands, usual)    \
  if (number == (op) && count == (usual)) return row; \
  ++row;
#include "runtime/backends/vulkan/spirv_ops.def"
#undef LINNET_SPIRV_OP
  ADD_FAILURE() << "no row for instruction " << number;
  return 0;
}

void AppendChecksum(const Words& words, Bytes& to) {
  uint32_t checksum = 0x811c9dc5;
  for (const uint32_t word : words) checksum = (checksum ^ word) * 0x01000193;
  for (int shift = 0; shift < 32; shift += 8) to.push_back(static_cast<uint8_t>(checksum >> shift));
}

// Instructions of the specification, with each form of coding.
const Words kModule = {
    0x07230203,     0x00010300, 0x000d000b, 6,          0,   4u << 16 | 21, 1, 32, 0,  // TypeInt %1
    4u << 16 | 43,  1,          2,          0xdeadbeef,            // Constant %2 of %1
    2u << 16 | 248, 3,                                             // Label %3
    5u << 16 | 128, 1,          4,          2,          2,         // IAdd %4 = %2 + %2
    2u << 16 | 249, 5,                                             // Branch to %5, which follows
    2u << 16 | 248, 5,                                             // Label %5
    6u << 16 | 71,  4,          7,          1,          128, 300,  // Decorate, with more operands
                                                                   // than usual
};

Bytes PackedModule() {
  Bytes packed = {static_cast<uint8_t>(kModule.size())};
  AppendChecksum(kModule, packed);
  const Bytes code = {
      RowOf(21, 3),
      32,
      0,  //
      RowOf(43, 3),
      1,
      0xef,
      0xfd,
      0xb6,
      0xf5,
      0x0d,           //
      RowOf(248, 1),  //
      RowOf(128, 4),
      1,
      2,
      2,  // one id back from %3
      RowOf(249, 1),
      1,              // one ahead of %4
      RowOf(248, 1),  //
      static_cast<uint8_t>(0x80 | RowOf(71, 3)),
      5,
      2,
      7,
      1,
      0x80,
      0x01,
      0xac,
      0x02,
  };
  packed.insert(packed.end(), code.begin(), code.end());
  return packed;
}

TEST(SpirvPackingTest, FollowsTheDescription) { EXPECT_EQ(Unpacked(PackedModule()), kModule); }

// The checksum is that of the words that the compiler gave.
TEST(SpirvPackingTest, UnpacksEveryShader) {
  for (int shader = 0; shader < static_cast<int>(Shader::kCount); ++shader) {
    SCOPED_TRACE(NameOf(static_cast<Shader>(shader)));
    int modes = 0;
    for (int mode = 0; mode < static_cast<int>(ShaderMode::kCount); ++mode) {
      const std::span<const uint8_t> packed =
          PackedSpirvOf(static_cast<Shader>(shader), static_cast<ShaderMode>(mode));
      if (packed.empty()) continue;
      ++modes;
      const Words words = WordsOf(static_cast<Shader>(shader), static_cast<ShaderMode>(mode));
      EXPECT_EQ(SpirvModule(words).error(), "");
      EXPECT_LT(packed.size(), words.size() * sizeof(uint32_t) / 3);
    }
    EXPECT_GE(modes, 1);
  }
}

// Modules want the capability "Shader", which every GPU has, and what their mode says. Modes that
// run on any device want nothing else.
TEST(SpirvPackingTest, ShadersWantTheFeaturesOfTheirMode) {
  constexpr uint32_t kShaderCapability = 1, kFloat16Capability = 9;
  EXPECT_EQ(FeaturesOf(ShaderMode::k_f32), 0u);
  EXPECT_EQ(FeaturesOf(ShaderMode::k_f16p), 0u);
  EXPECT_EQ(FeaturesOf(ShaderMode::k_f16a), uint32_t{kFloat16});
  for (int shader = 0; shader < static_cast<int>(Shader::kCount); ++shader) {
    for (int mode = 0; mode < static_cast<int>(ShaderMode::kCount); ++mode) {
      const Words words = WordsOf(static_cast<Shader>(shader), static_cast<ShaderMode>(mode));
      if (words.empty()) continue;
      Words wanted = {kShaderCapability};
      if ((FeaturesOf(static_cast<ShaderMode>(mode)) & kFloat16) != 0)
        wanted.push_back(kFloat16Capability);
      EXPECT_EQ(SpirvModule(words).Capabilities(), wanted)
          << NameOf(static_cast<Shader>(shader)) << ", mode " << mode;
    }
  }
}

TEST(SpirvPackingTest, RefusesShadersThatDoNotExist) {
  EXPECT_TRUE(PackedSpirvOf(Shader::kCount, ShaderMode::k_f32).empty());
  EXPECT_TRUE(PackedSpirvOf(Shader::k_clamp, ShaderMode::kCount).empty());
  EXPECT_EQ(NumSpirvWords({}), 0u);
}

// Each change of a bit, and each cut.
TEST(SpirvPackingTest, RefusesDamage) {
  const std::span<const uint8_t> clamp = PackedSpirvOf(Shader::k_clamp, ShaderMode::k_f32);
  for (const Bytes& packed : {PackedModule(), Bytes(clamp.begin(), clamp.end())}) {
    ASSERT_FALSE(Unpacked(packed).empty());
    for (size_t bit = 0; bit < 8 * packed.size(); ++bit) {
      Bytes damaged = packed;
      damaged[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
      EXPECT_TRUE(Unpacked(damaged).empty()) << "bit " << bit;
    }
    for (size_t size = 0; size < packed.size(); ++size)
      EXPECT_TRUE(Unpacked(Bytes(packed.begin(), packed.begin() + size)).empty()) << size;
    Bytes longer = packed;
    longer.push_back(0);
    EXPECT_TRUE(Unpacked(longer).empty());
  }
}

TEST(SpirvPackingTest, RefusesOtherSizesThanPacked) {
  const Bytes packed = PackedModule();
  for (const size_t size : {size_t{0}, size_t{4}, kModule.size() - 1, kModule.size() + 1}) {
    Words words(size);
    EXPECT_FALSE(UnpackSpirv(packed, words)) << size;
  }
}

TEST(SpirvPackingTest, SurvivesNoise) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    Bytes noise(random() % 64 + 1);
    for (uint8_t& byte : noise) byte = static_cast<uint8_t>(random());
    EXPECT_TRUE(Unpacked(noise).empty());
  }
}

}  // namespace
}  // namespace linnet::vulkan
