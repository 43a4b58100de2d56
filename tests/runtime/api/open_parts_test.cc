// SPDX-License-Identifier: Apache-2.0
// Plans that are opened from a part of a file, into the caller's memory, and in place.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "gtest/gtest.h"
#include "linnet/linnet.h"
#include "runtime/plan/file_header.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"
#include "tests/scratch_folder.h"

namespace linnet {
namespace {

linnet_open_options WithFlags(uint32_t flags) {
  linnet_open_options options{};
  options.struct_size = sizeof(options);
  options.flags = flags;
  return options;
}

// Runs SmallPlan's first signature, closes the plan and returns the first output.
std::vector<float> RunAndClose(linnet_plan* plan) {
  std::vector<float> result(5);
  linnet_session* session = nullptr;
  linnet_error error{};
  EXPECT_EQ(linnet_session_create(plan, nullptr, &session, &error), LINNET_OK) << error.text;
  if (session != nullptr) {
    auto* x = static_cast<float*>(linnet_session_input_data(session, 0));
    for (int i = 0; i < 108; ++i) x[i] = static_cast<float>(i) / 108.0f;
    std::memset(linnet_session_input_data(session, 1), 0, 8);
    EXPECT_EQ(linnet_session_run(session), LINNET_OK);
    const int32_t output = linnet_session_find_output(session, "probabilities");
    std::memcpy(result.data(), linnet_session_output_data(session, output), 5 * sizeof(float));
  }
  linnet_session_destroy(session);
  linnet_plan_close(plan);
  return result;
}

std::vector<float> Expected() {
  const PlacedBytes bytes(SmallPlan());
  linnet_plan* plan = nullptr;
  EXPECT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan, nullptr),
            LINNET_OK);
  return RunAndClose(plan);
}

// ---- Parts of files

// A file that has the plan at `offset`, and `after` bytes behind it.
class OpenFile {
 public:
  explicit OpenFile(size_t offset, size_t after = 0) {
    const std::vector<std::byte>& plan = SmallPlan();
    const std::string middle(reinterpret_cast<const char*>(plan.data()), plan.size());
    const std::string path =
        WriteAll(folder_ / "archive", std::string(offset, 'a') + middle + std::string(after, 'z'));
    fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  }
  ~OpenFile() { Close(); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  void Close() {
    if (fd >= 0) close(fd);
    fd = -1;
  }

  int fd = -1;

 private:
  ScratchFolder folder_;
};

TEST(OpenFd, OpensAPartAtAnyOffset) {
  const auto bytes = static_cast<int64_t>(SmallPlan().size());
  const std::vector<float> want = Expected();
  for (const int64_t offset : {0, 1, 64, 4095, 4096, 70001}) {
    for (const uint32_t flags : {0u, uint32_t{LINNET_OPEN_COPY}}) {
      OpenFile file(static_cast<size_t>(offset), 100);
      ASSERT_EQ(lseek(file.fd, 7, SEEK_SET), 7);
      const linnet_open_options options = WithFlags(flags);
      linnet_plan* plan = nullptr;
      linnet_error error{};
      ASSERT_EQ(linnet_plan_open_fd(file.fd, offset, bytes, &options, &plan, &error), LINNET_OK)
          << error.text;
      EXPECT_EQ(lseek(file.fd, 0, SEEK_CUR), 7);
      file.Close();
      EXPECT_EQ(RunAndClose(plan), want) << offset;
    }
  }
}

TEST(OpenFd, WithoutASizeOpensToTheEnd) {
  const OpenFile file(1000);
  linnet_plan* plan = nullptr;
  ASSERT_EQ(linnet_plan_open_fd(file.fd, 1000, 0, nullptr, &plan, nullptr), LINNET_OK);
  EXPECT_EQ(RunAndClose(plan), Expected());
  const OpenFile longer(1000, 1);
  EXPECT_EQ(linnet_plan_open_fd(longer.fd, 1000, 0, nullptr, &plan, nullptr), LINNET_INVALID_PLAN);
}

TEST(OpenFd, RefusesWhatIsNoPartOfAFile) {
  const OpenFile file(100);
  const auto bytes = static_cast<int64_t>(SmallPlan().size());
  int pipe_ends[2];
  ASSERT_EQ(pipe2(pipe_ends, O_CLOEXEC), 0);
  const int folder = open("/", O_RDONLY | O_CLOEXEC);
  const int closed = dup(folder);
  close(closed);
  const struct {
    int fd;
    int64_t offset, bytes;
    linnet_status status;
    const char* why;
  } cases[] = {
      {-1, 0, 0, LINNET_INVALID_ARGUMENT, "negative"},
      {file.fd, -1, 0, LINNET_INVALID_ARGUMENT, "negative"},
      {file.fd, 100, -1, LINNET_INVALID_ARGUMENT, "negative"},
      {file.fd, 101 + bytes, 0, LINNET_IO, "beyond the end"},
      {file.fd, INT64_MAX, 0, LINNET_IO, "beyond the end"},
      {file.fd, 100, bytes + 1, LINNET_IO, "beyond the end"},
      {file.fd, 100, INT64_MAX, LINNET_IO, "beyond the end"},
      {file.fd, 100 + bytes, 0, LINNET_IO, "empty"},
      {file.fd, 100, bytes - 1, LINNET_INVALID_PLAN, "truncated"},
      {file.fd, 99, bytes, LINNET_INVALID_PLAN, "not a Linnet plan"},
      {file.fd, 100, 10, LINNET_INVALID_PLAN, "shorter than its header"},
      {pipe_ends[0], 0, 0, LINNET_IO, "it is a pipe"},
      {folder, 0, 0, LINNET_IO, "it is a folder"},
      {closed, 0, 0, LINNET_IO, "not an open file descriptor"},
  };
  for (const auto& row : cases) {
    auto* plan = reinterpret_cast<linnet_plan*>(1);
    linnet_error error{};
    EXPECT_EQ(linnet_plan_open_fd(row.fd, row.offset, row.bytes, nullptr, &plan, &error),
              row.status)
        << row.why;
    EXPECT_NE(std::strstr(error.text, row.why), nullptr) << error.text;
    EXPECT_EQ(plan, nullptr);
  }
  for (const int fd : {pipe_ends[0], pipe_ends[1], folder}) close(fd);
}

// ---- The caller's block

enum class Way { kMemory, kInPlace, kFd, kFdCopied, kReader };

// Opens SmallPlan in one of the ways, into a block unless that is null.
class BlockTest : public testing::TestWithParam<Way> {
 protected:
  linnet_status Open(void* block, size_t bytes, linnet_plan** plan, linnet_error* error) {
    const Way way = GetParam();
    linnet_open_options options = WithFlags(way == Way::kInPlace    ? LINNET_OPEN_IN_PLACE
                                            : way == Way::kFdCopied ? LINNET_OPEN_COPY
                                                                    : 0);
    options.block = block;
    options.block_bytes = bytes;
    if (way == Way::kMemory || way == Way::kInPlace)
      return linnet_plan_open_memory(bytes_.data(), bytes_.size(), &options, plan, error);
    if (way == Way::kFd || way == Way::kFdCopied)
      return linnet_plan_open_fd(file_.fd, 33, 0, &options, plan, error);
    const linnet_reader reader{
        sizeof(reader), const_cast<PlacedBytes*>(&bytes_),
        [](void* context) {
          return static_cast<int64_t>(static_cast<const PlacedBytes*>(context)->size());
        },
        [](void* context, int64_t offset, void* to, size_t count) {
          std::memcpy(to, static_cast<const PlacedBytes*>(context)->data() + offset, count);
          return 0;
        }};
    return linnet_plan_open_reader(&reader, &options, plan, error);
  }
  int64_t BytesWithoutBlock() {
    linnet_plan* plan = nullptr;
    EXPECT_EQ(Open(nullptr, 0, &plan, nullptr), LINNET_OK);
    const int64_t bytes = linnet_plan_bytes(plan);
    linnet_plan_close(plan);
    return bytes;
  }

  const PlacedBytes bytes_{SmallPlan()};
  const OpenFile file_{33};
};
INSTANTIATE_TEST_SUITE_P(OpenPlan, BlockTest,
                         testing::Values(Way::kMemory, Way::kInPlace, Way::kFd, Way::kFdCopied,
                                         Way::kReader));

TEST_P(BlockTest, HoldsThePlan) {
  const auto bytes = static_cast<size_t>(BytesWithoutBlock());
  const PlacedBytes block(std::vector<std::byte>(bytes), 0);
  linnet_plan* plan = nullptr;
  linnet_error error{};
  ASSERT_EQ(Open(block.data(), bytes, &plan, &error), LINNET_OK) << error.text;
  const auto* at = reinterpret_cast<const std::byte*>(plan);
  EXPECT_TRUE(at >= block.data() && at < block.data() + bytes);
  EXPECT_EQ(linnet_plan_bytes(plan), static_cast<int64_t>(bytes));
  EXPECT_EQ(RunAndClose(plan), Expected());
  // The block may be used again.
  ASSERT_EQ(Open(block.data(), bytes, &plan, &error), LINNET_OK) << error.text;
  EXPECT_EQ(RunAndClose(plan), Expected());
}

TEST_P(BlockTest, TooSmallTellsWhatIsNeeded) {
  const auto needed = static_cast<size_t>(BytesWithoutBlock());
  for (const size_t misalignment : {size_t{0}, size_t{1}, size_t{63}}) {
    const size_t skipped = misalignment == 0 ? 0 : 64 - misalignment;
    const PlacedBytes block(std::vector<std::byte>(needed + skipped), misalignment);
    for (const size_t bytes : {size_t{0}, size_t{1}, needed / 2, needed + skipped - 1}) {
      linnet_plan* plan = nullptr;
      linnet_error error{};
      ASSERT_EQ(Open(block.data(), bytes, &plan, &error), LINNET_NO_MEMORY) << bytes;
      EXPECT_EQ(plan, nullptr);
      EXPECT_EQ(error.bytes_needed, static_cast<int64_t>(needed + skipped));
      EXPECT_NE(std::strstr(error.text, "the plan's block has "), nullptr) << error.text;
    }
    linnet_plan* plan = nullptr;
    ASSERT_EQ(Open(block.data(), needed + skipped, &plan, nullptr), LINNET_OK);
    linnet_plan_close(plan);
  }
}

TEST(PlanBytes, CountsWhatIsCopied) {
  EXPECT_EQ(linnet_plan_bytes(nullptr), 0);
  FileHeader header;
  std::memcpy(&header, SmallPlan().data(), sizeof(header));
  const PlacedBytes bytes(SmallPlan());
  std::array<int64_t, 2> needed{};
  for (const uint32_t flag : {0u, 1u}) {
    const linnet_open_options options = WithFlags(flag * LINNET_OPEN_IN_PLACE);
    linnet_plan* plan = nullptr;
    ASSERT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), &options, &plan, nullptr),
              LINNET_OK);
    needed[flag] = linnet_plan_bytes(plan);
    linnet_plan_close(plan);
  }
  EXPECT_GE(needed[0] - needed[1], static_cast<int64_t>(header.structure_bytes));
}

// ---- In place

TEST(OpenInPlace, NeedsAlignedMemory) {
  const linnet_open_options options = WithFlags(LINNET_OPEN_IN_PLACE);
  linnet_plan* plan = nullptr;
  linnet_error error{};
  for (const size_t misalignment : {1, 4, 8, 32}) {
    const PlacedBytes bytes(SmallPlan(), misalignment);
    EXPECT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), &options, &plan, &error),
              LINNET_INVALID_ARGUMENT);
    EXPECT_NE(std::strstr(error.text, "multiple of 64"), nullptr) << error.text;
  }
}

TEST(OpenInPlace, IsOnlyForTheCallersMemory) {
  const OpenFile file(0);
  const linnet_open_options options = WithFlags(LINNET_OPEN_IN_PLACE);
  linnet_plan* plan = nullptr;
  linnet_error error{};
  EXPECT_EQ(linnet_plan_open_fd(file.fd, 0, 0, &options, &plan, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_NE(std::strstr(error.text, "caller's memory"), nullptr) << error.text;
  EXPECT_EQ(linnet_plan_open_file("x", &options, &plan, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_plan_open_reader(nullptr, &options, &plan, &error), LINNET_INVALID_ARGUMENT);
}

// The header of an untrusted plan decides where its structure begins.
TEST(OpenInPlace, RefusesAMisalignedStructure) {
  const std::vector<std::byte>& plain = SmallPlan();
  FileHeader header;
  std::memcpy(&header, plain.data(), sizeof(header));
  const auto structure = plain.begin() + static_cast<ptrdiff_t>(header.structure_offset);
  std::vector<std::byte> moved(sizeof(header) + 4);
  moved.insert(moved.end(), structure, structure + static_cast<ptrdiff_t>(header.structure_bytes));
  moved.resize(header.weights_offset + 64);
  moved.insert(moved.end(), plain.begin() + static_cast<ptrdiff_t>(header.weights_offset),
               plain.end());
  header.structure_offset += 4;
  header.weights_offset += 64;
  header.file_bytes = moved.size();
  std::memcpy(moved.data(), &header, sizeof(header));
  const PlacedBytes bytes(moved);
  linnet_open_options options = WithFlags(LINNET_OPEN_IN_PLACE);
  linnet_plan* plan = nullptr;
  linnet_error error{};
  EXPECT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), &options, &plan, &error),
            LINNET_INVALID_PLAN);
  EXPECT_NE(std::strstr(error.text, "misaligned"), nullptr) << error.text;
  options.flags = 0;
  ASSERT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), &options, &plan, &error), LINNET_OK)
      << error.text;
  EXPECT_EQ(RunAndClose(plan), Expected());
}

}  // namespace
}  // namespace linnet
