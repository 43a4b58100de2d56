// SPDX-License-Identifier: Apache-2.0
#include "converter/import/gzip.h"

#include <zlib.h>

#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace linnet::converter {
namespace {

using ::testing::HasSubstr;

std::string Packed(std::string_view text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::vector<Bytef> out(deflateBound(&stream, text.size()));
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  const size_t bytes = out.size() - stream.avail_out;
  deflateEnd(&stream);
  return {reinterpret_cast<const char*>(out.data()), bytes};
}

// Numbers that compress to about half their size.
std::string Text() {
  std::string text;
  for (uint32_t i = 0; text.size() < 200'000; i = i * 1664525 + 1013904223)
    text += std::to_string(i);
  return text;
}

absl::StatusOr<std::string> Unpack(const std::string& file, size_t most_bytes = size_t{1} << 20) {
  const absl::StatusOr<OwnedBytes> bytes =
      Unpacked({.bytes = std::as_bytes(std::span(file)), .owner = nullptr}, most_bytes);
  if (!bytes.ok()) return bytes.status();
  return std::string(AsText(bytes->bytes));
}

TEST(GzipTest, UnpacksWhatIsPackedAndLeavesTheRest) {
  EXPECT_EQ(*Unpack(Packed(Text())), Text());
  EXPECT_EQ(*Unpack(Packed("")), "");
  EXPECT_EQ(*Unpack(Packed("one, ") + Packed("two")), "one, two");
  EXPECT_EQ(*Unpack("a plain file"), "a plain file");
}

TEST(GzipTest, DamageIsAnError) {
  const std::string file = Packed(Text());
  for (const size_t bytes :
       {size_t{2}, size_t{6}, file.size() / 2, file.size() - 9, file.size() - 1})
    EXPECT_THAT(std::string(Unpack(file.substr(0, bytes)).status().message()),
                HasSubstr("ends too early"))
        << bytes;
  for (const size_t at : {size_t{2}, file.size() / 2, file.size() - 6}) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    EXPECT_THAT(std::string(Unpack(damaged).status().message()), HasSubstr("but damaged")) << at;
  }
  EXPECT_THAT(std::string(Unpack(file + "more").status().message()), HasSubstr("but damaged"));
}

TEST(GzipTest, BombsAreRefused) {
  const std::string zeros = Packed(std::string(size_t{1} << 22, '\0'));
  EXPECT_LT(zeros.size(), size_t{1} << 16);
  EXPECT_THAT(std::string(Unpack(zeros).status().message()),
              HasSubstr("more than 1048576 bytes when unpacked"));
}

}  // namespace
}  // namespace linnet::converter
