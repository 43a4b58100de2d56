// SPDX-License-Identifier: Apache-2.0
#include "platform/file_bytes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cstring>

#include "platform/regular_file.h"
#include "tests/scratch_folder.h"

namespace linnet {
namespace {

using Opener = Status (FileBytes::*)(const char*);
constexpr Opener kOpeners[] = {&FileBytes::Map, &FileBytes::Read};

TEST(FileBytesTest, MapsAndReads) {
  const ScratchFolder folder;
  const std::string path = WriteAll(folder / "file", "some bytes");
  for (const Opener open : kOpeners) {
    FileBytes file;
    ASSERT_TRUE((file.*open)(path.c_str()).ok());
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(file.data()), file.bytes()), "some bytes");
  }
}

// Opening a pipe without a writer would block forever.
TEST(FileBytesTest, RefusesOtherThanFiles) {
  const ScratchFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(folder / "folder");
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folder / "socket").c_str(), sizeof(address.sun_path) - 1);
  const int socket_file = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(socket_file, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  for (const auto& [path, reason] :
       {std::pair{folder / "pipe", "it is a pipe"}, std::pair{folder / "socket", "it is a pipe"},
        std::pair{folder / "folder", "it is a folder"},
        std::pair{std::string("/dev/null"), "it is a device"},
        std::pair{folder / "nothing", "cannot open the file"}}) {
    for (const Opener open : kOpeners) {
      FileBytes file;
      const Status status = (file.*open)(path.c_str());
      EXPECT_EQ(status.code(), StatusCode::kIo) << path;
      EXPECT_EQ(std::string(status.what()).substr(0, std::strlen(reason)), reason) << path;
    }
  }
  close(socket_file);
}

// Pages that were given back are read from the file again, whatever lies before the part.
TEST(FileBytesTest, MapsAPartAndDropsItsPages) {
  const ScratchFolder folder;
  std::string text(100'000, '.');
  for (size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>('a' + i % 23);
  const int descriptor = open(WriteAll(folder / "file", text).c_str(), O_RDONLY | O_CLOEXEC);
  for (const int64_t offset : {0, 1, 4095, 4096, 50'001}) {
    FileBytes file;
    ASSERT_TRUE(file.Map(RegularFile(descriptor, offset, 40'000)).ok());
    FileBytes::DropPages(file.data(), 100, 30'000);
    FileBytes::DropPages(file.data(), 5000, 1);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(file.data()), file.bytes()),
              text.substr(static_cast<size_t>(offset), 40'000));
  }
  close(descriptor);
}

TEST(RegularFileTest, FollowsLinks) {
  const ScratchFolder folder;
  WriteAll(folder / "file", "four");
  std::filesystem::create_symlink(folder / "file", folder / "link");
  const RegularFile file((folder / "link").c_str());
  EXPECT_TRUE(file.ok());
  EXPECT_EQ(file.bytes(), 4);
}

}  // namespace
}  // namespace linnet
