// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/npy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "tests/scratch_folder.h"

namespace linnet::tools {
namespace {

// A file as numpy writes it: version 1.0, data aligned to 64 bytes.
std::string File(const std::string& header, const std::string& data) {
  std::string text = header;
  text.append(127 - 10 - text.size() % 64, ' ');
  text += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(text.size() & 0xff);
  file += static_cast<char>(text.size() >> 8);
  return file + text + data;
}
std::string Header(const std::string& descr, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
}

linnet_tensor_info Info(linnet_dtype dtype, const std::vector<int64_t>& dims, int64_t bytes) {
  linnet_tensor_info info{};
  info.dtype = dtype;
  info.rank = static_cast<int32_t>(dims.size());
  std::copy(dims.begin(), dims.end(), info.dims);
  info.bytes = bytes;
  return info;
}

class NpyTest : public testing::Test {
 protected:
  std::string Read(const std::string& bytes) {
    array_ = {};
    return ReadNpy(WriteAll(folder_ / "a.npy", bytes), &array_);
  }
  ScratchFolder folder_;
  NpyArray array_;
};

TEST_F(NpyTest, ReadsWhatNumpyWrites) {
  ASSERT_EQ(Read(File(Header("<i4", "(2, 3)"), std::string(24, 'a'))), "");
  EXPECT_EQ(array_.dtype, LINNET_INT32);
  EXPECT_EQ(array_.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(array_.data, std::vector<uint8_t>(24, 'a'));
  ASSERT_EQ(Read(File(Header("|b1", "()"), "\x01")), "");
  EXPECT_TRUE(array_.shape.empty());
  ASSERT_EQ(Read(File(Header("<f2", "(0,)"), "")), "");
  EXPECT_EQ(array_.shape, std::vector<int64_t>{0});
}

TEST_F(NpyTest, ReadsLongHeaders) {
  std::string text = Header("|u1", "(1,)");
  std::string file("\x93NUMPY\x02\x00", 8);
  file += static_cast<char>(text.size());
  file += std::string(3, '\0');
  ASSERT_EQ(Read(file + text + "x"), "");
  EXPECT_EQ(array_.data, std::vector<uint8_t>{'x'});
}

TEST_F(NpyTest, WritesWhatItReads) {
  for (const linnet_dtype dtype :
       {LINNET_FLOAT32, LINNET_INT64, LINNET_BOOL, LINNET_UINT16, LINNET_FLOAT64}) {
    const std::string path = folder_ / "b.npy";
    const std::vector<uint8_t> data(2 * 3 * 8, 7);
    const int64_t width = dtype == LINNET_BOOL      ? 1
                          : dtype == LINNET_UINT16  ? 2
                          : dtype == LINNET_FLOAT32 ? 4
                                                    : 8;
    ASSERT_EQ(WriteNpy(path, Info(dtype, {2, 3}, 6 * width), data.data()), "");
    ASSERT_EQ(ReadNpy(path, &array_), "") << ReadAll(path);
    EXPECT_EQ(array_.dtype, dtype);
    EXPECT_EQ(array_.shape, (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(std::ssize(array_.data), 6 * width);
    EXPECT_EQ(ReadAll(path).find('\n') % 64, 63u) << "numpy wants the data aligned";
    array_ = {};
  }
}

TEST_F(NpyTest, RefusesWithOneSentence) {
  EXPECT_NE(ReadNpy(folder_ / "missing.npy", &array_), "");
  for (const std::string& file :
       {std::string(), std::string("\x93NUMPY"), std::string("no array at all"),
        File(Header(">f4", "(1,)"), "1234"), File(Header("<c8", "(1,)"), "12345678"),
        File(Header("<f4", "(2,)"), "1234"), File(Header("<f4", "(-1,)"), "1234"),
        File(Header("<f4", "(9223372036854775807, 4)"), ""),
        File(Header("<f4", "(1099511627776,)"), ""), File(Header("<f4", "(1, "), "1234"),
        File(Header("<f4", "x"), "1234"), File("{'descr': ", ""), File("", ""),
        File("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", "1234")}) {
    const std::string problem = Read(file);
    EXPECT_NE(problem, "") << file;
    EXPECT_EQ(problem.find("a.npy"), (folder_ / "a.npy").size() - 5) << problem;
  }
}

TEST_F(NpyTest, TruncationAnywhereIsRefused) {
  const std::string file = File(Header("<f4", "(2,)"), "12345678");
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_NE(Read(file.substr(0, size)), "") << size;
}

TEST_F(NpyTest, WidensOnlyWithoutLoss) {
  float floats[2];
  array_ = {LINNET_INT8, {2}, {0x80, 0x7f}};
  ASSERT_EQ(CopyToTensor(array_, Info(LINNET_FLOAT32, {2}, 8), floats), "");
  EXPECT_EQ(floats[0], -128.0f);
  EXPECT_EQ(floats[1], 127.0f);
  int64_t integers[2];
  array_.dtype = LINNET_UINT8;
  ASSERT_EQ(CopyToTensor(array_, Info(LINNET_INT64, {2}, 16), integers), "");
  EXPECT_EQ(integers[0], 128);
  array_ = {LINNET_FLOAT16, {2}, {0x00, 0x7c, 0x00, 0xbc}};
  ASSERT_EQ(CopyToTensor(array_, Info(LINNET_FLOAT32, {2}, 8), floats), "");
  EXPECT_EQ(floats[0], std::numeric_limits<float>::infinity());
  EXPECT_EQ(floats[1], -1.0f);

  array_ = {LINNET_FLOAT32, {2}, std::vector<uint8_t>(8)};
  EXPECT_EQ(CopyToTensor(array_, Info(LINNET_INT32, {2}, 8), floats),
            "the file holds f32[2], the input is i32[2]");
  EXPECT_NE(CopyToTensor(array_, Info(LINNET_FLOAT32, {1, 2}, 8), floats), "");
  EXPECT_NE(CopyToTensor(array_, Info(LINNET_FLOAT32, {3}, 12), floats), "");
}

}  // namespace
}  // namespace linnet::tools
