// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/file_writer.h"

#include <gtest/gtest.h>

#include "tests/scratch_folder.h"

namespace linnet::tools {
namespace {

TEST(FileWriterTest, WritesAllPiecesUnderTheNameOnly) {
  ScratchFolder folder;
  EXPECT_EQ(WriteFile(folder / "file", {"one", "", "two"}), "");
  EXPECT_EQ(ReadAll(folder / "file"), "onetwo");
  EXPECT_EQ(WriteFile(folder / "file", {"again"}), "");
  EXPECT_EQ(ReadAll(folder / "file"), "again");
  EXPECT_EQ(folder.NumFiles(), 1);
}

TEST(FileWriterTest, LeavesNothingWhenItFails) {
  ScratchFolder folder;
  EXPECT_NE(WriteFile(folder / "no/such/folder", {"text"}), "");
  std::filesystem::create_directory(folder / "taken");
  WriteAll(folder / "taken/inside", "");
  EXPECT_NE(WriteFile(folder / "taken", {"text"}), "");  // a folder has the name
  EXPECT_EQ(folder.NumFiles(), 1);
}

#ifdef __linux__
TEST(FileWriterTest, FullDiskIsNoticed) {
  ScratchFolder folder;
  std::filesystem::create_symlink("/dev/full", folder / "file.part");
  EXPECT_NE(WriteFile(folder / "file", {"text"}), "");
  EXPECT_EQ(folder.NumFiles(), 0);
}
#endif

}  // namespace
}  // namespace linnet::tools
