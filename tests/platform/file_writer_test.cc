// SPDX-License-Identifier: Apache-2.0
#include "platform/file_writer.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <vector>

#include "tests/scratch_folder.h"

namespace {

// The system calls that make a file permanent, in order, and which of them (counted from 1) fails;
// 0: none.
std::vector<std::string> g_calls;
int g_failing = 0;

bool Fails(const char* call) {
  g_calls.emplace_back(call);
  if (static_cast<int>(g_calls.size()) != g_failing) return false;
  errno = EIO;
  return true;
}

template <typename Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// These definitions in the program take precedence over the C library's.
extern "C" int fsync(int file) {
  struct stat info = {};
  fstat(file, &info);
  return Fails(S_ISDIR(info.st_mode) ? "fsync folder" : "fsync file")
             ? -1
             : Next<int(int)>("fsync")(file);
}
extern "C" int rename(const char* from, const char* to) noexcept {
  return Fails("rename") ? -1 : Next<int(const char*, const char*)>("rename")(from, to);
}

namespace linnet {
namespace {

class FileWriterTest : public testing::Test {
 protected:
  FileWriterTest() {
    g_calls.clear();
    g_failing = 0;
  }
  ~FileWriterTest() override { g_failing = 0; }

  // The error, or "".
  std::string Write(const std::string& name, const std::string& bytes) {
    FileWriter file(folder_ / name);
    file.Write(bytes.data(), bytes.size());
    file.Commit();
    return file.problem();
  }

  ScratchFolder folder_;
};

// Through and around the memory in which pieces are collected.
TEST_F(FileWriterTest, FilesOfManyPiecesAndOfLargeOnes) {
  for (const size_t piece : {size_t{999}, size_t{1} << 20, (size_t{5} << 20) + 1}) {
    std::string bytes((size_t{5} << 20) + 1, '\0');
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 2654435761u >> 24);
    FileWriter file(folder_ / "file");
    for (size_t at = 0; at < bytes.size(); at += piece)
      file.Write(bytes.data() + at, std::min(piece, bytes.size() - at));
    file.Rewrite("begin", 5);
    bytes.replace(0, 5, "begin");
    EXPECT_TRUE(file.Flush());
    EXPECT_EQ(ReadAll(file.temporary()), bytes);
    EXPECT_TRUE(file.Commit());
    EXPECT_EQ(ReadAll(folder_ / "file"), bytes);
  }
}

TEST_F(FileWriterTest, WritesUnderTheNameOnly) {
  EXPECT_EQ(Write("file", "one"), "");
  EXPECT_EQ(ReadAll(folder_ / "file"), "one");
  FileWriter file(folder_ / "file");
  file.Write("twice", 5);
  file.Rewrite("TW", 2);
  ASSERT_TRUE(file.Flush());
  EXPECT_EQ(ReadAll(file.temporary()), "TWice");
  EXPECT_EQ(ReadAll(folder_ / "file"), "one");
  EXPECT_TRUE(file.Commit());
  EXPECT_EQ(ReadAll(folder_ / "file"), "TWice");
  EXPECT_EQ(folder_.NumFiles(), 1);
}

TEST_F(FileWriterTest, AnAbandonedFileLeavesNothing) {
  WriteAll(folder_ / "file", "old");
  {
    FileWriter file(folder_ / "file");
    file.Write("new", 3);
  }
  EXPECT_EQ(ReadAll(folder_ / "file"), "old");
  EXPECT_EQ(folder_.NumFiles(), 1);
}

TEST_F(FileWriterTest, BytesAreOnTheDiskBeforeTheName) {
  EXPECT_EQ(Write("file", "bytes"), "");
  EXPECT_EQ(g_calls, (std::vector<std::string>{"fsync file", "rename", "fsync folder"}));
}

TEST_F(FileWriterTest, EveryFailureLeavesTheOldFileOrTheNew) {
  for (g_failing = 1; g_failing <= 3; ++g_failing) {
    WriteAll(folder_ / "file", "old");
    g_calls.clear();
    EXPECT_EQ(Write("file", "new"), "cannot write " + folder_ / "file" + ": Input/output error");
    EXPECT_EQ(ReadAll(folder_ / "file"), g_failing < 3 ? "old" : "new");
    EXPECT_EQ(folder_.NumFiles(), 1);
  }
}

TEST_F(FileWriterTest, FullDiskIsNoticed) {
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 100;
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string few = Write("file", "few bytes");
  const std::string many = Write("many", std::string(100'000, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(few, "");
  EXPECT_EQ(many, "cannot write " + folder_ / "many" + ": File too large");
  EXPECT_EQ(folder_.NumFiles(), 1);
}

// A former version wrote to `file.part`, even when that was a link to elsewhere.
TEST_F(FileWriterTest, LinksAreNotFollowed) {
  WriteAll(folder_ / "precious", "bytes");
  std::filesystem::create_symlink(folder_ / "precious", folder_ / "file.part");
  std::filesystem::create_symlink(folder_ / "precious", folder_ / "file");
  EXPECT_EQ(Write("file", "new"), "");
  EXPECT_EQ(ReadAll(folder_ / "precious"), "bytes");
  EXPECT_EQ(ReadAll(folder_ / "file"), "new");
  EXPECT_EQ(folder_.NumFiles(), 3);
}

TEST_F(FileWriterTest, NamesOfOtherThanFilesAreKept) {
  std::filesystem::create_directory(folder_ / "folder");
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(Write("folder", "bytes"), "cannot write " + folder_ / "folder" + ": it is a folder");
  EXPECT_EQ(Write("pipe", "bytes"),
            "cannot write " + folder_ / "pipe" + ": it exists and is not a regular file");
  EXPECT_EQ(Write("no/such/file", "bytes"),
            "cannot write " + folder_ / "no/such/file" + ": No such file or directory");
  EXPECT_EQ(folder_.NumFiles(), 2);
  EXPECT_TRUE(std::filesystem::is_fifo(folder_ / "pipe"));
}

// The status from waitpid of a program that receives `signal` while it writes.
int EndWhileWriting(const std::string& path, int signal, const std::function<void()>& prepare) {
  const pid_t child = fork();
  if (child == 0) {
    prepare();
    FileWriter file(path);
    file.Write("half", 4);
    if (!file.Flush()) _exit(1);
    raise(signal);
    _exit(file.Commit() ? 0 : 2);  // of a program that ignores the signal
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST_F(FileWriterTest, SignalsLeaveNothingBehind) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const int status = EndWhileWriting(folder_ / "file", signal, [] {});
    ASSERT_TRUE(WIFSIGNALED(status)) << signal;
    EXPECT_EQ(WTERMSIG(status), signal);
    EXPECT_EQ(folder_.NumFiles(), 0) << signal;
  }
}

TEST_F(FileWriterTest, IgnoredSignalsStayIgnored) {
  const int status =
      EndWhileWriting(folder_ / "file", SIGHUP, [] { signal(SIGHUP, SIG_IGN); });  // as nohup does
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(ReadAll(folder_ / "file"), "half");
}

}  // namespace
}  // namespace linnet
