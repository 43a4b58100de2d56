// SPDX-License-Identifier: Apache-2.0
// platform/none, which no build for this machine has: linked instead of platform/posix.
#include <gtest/gtest.h>

#include <string>

#include "platform/file_bytes.h"
#include "platform/regular_file.h"

namespace linnet {
namespace {

TEST(NoFiles, EveryPathIsRefusedWithAReason) {
  FileBytes file;
  for (const Status& status : {file.Map("/etc/passwd"), file.Read("/etc/passwd")}) {
    EXPECT_EQ(status.code(), StatusCode::kIo);
    EXPECT_NE(std::string(status.what()).find("no files here"), std::string::npos);
  }
  EXPECT_EQ(file.data(), nullptr);
  EXPECT_EQ(file.bytes(), 0);
  EXPECT_FALSE(file.mapped());
  file.Close();
}

TEST(NoFiles, DescriptorsToo) {
  const RegularFile file(0, 0, 0);
  EXPECT_FALSE(file.ok());
  ASSERT_NE(file.refusal(), nullptr);
  EXPECT_FALSE(file.ReadTo(nullptr));
  FileBytes bytes;
  EXPECT_EQ(bytes.Map(file).code(), StatusCode::kIo);
}

}  // namespace
}  // namespace linnet
