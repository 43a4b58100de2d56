// SPDX-License-Identifier: Apache-2.0
// Opening an untrusted plan can do nothing worse than fail.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>

#include "gtest/gtest.h"
#include "linnet/linnet.h"
#include "runtime/plan/file_header.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

linnet_status OpenAndRun(const PlacedBytes& bytes, uint32_t flags, linnet_error* error) {
  const linnet_open_options open{sizeof(open), flags, nullptr, nullptr, 0};
  linnet_plan* plan = nullptr;
  linnet_session* session = nullptr;
  linnet_status status = linnet_plan_open_memory(bytes.data(), bytes.size(), &open, &plan, error);
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.max_bytes = size_t{1} << 20;
  if (status == LINNET_OK) status = linnet_session_create(plan, &options, &session, error);
  if (status == LINNET_OK) {
    for (int i = 0; i < linnet_session_num_inputs(session); ++i)
      std::memset(linnet_session_input_data(session, i), 0,
                  linnet_session_input_info(session, i)->bytes);
    status = linnet_session_run(session);
  }
  linnet_session_destroy(session);
  linnet_plan_close(plan);
  return status;
}

// Opens, creates and runs as far as possible, as a program does that does not trust its plans.
// Returns the first error, or LINNET_OK. Where the plan can be read in place, that must end in the
// same way.
linnet_status OpenAndRun(const PlacedBytes& bytes, linnet_error* error) {
  if (reinterpret_cast<uintptr_t>(bytes.data()) % 64 != 0) return OpenAndRun(bytes, 0, error);
  const linnet_status in_place = OpenAndRun(bytes, LINNET_OPEN_IN_PLACE, error);
  const bool misaligned = std::strstr(error->text, "structure is misaligned") != nullptr;
  const linnet_status copied = OpenAndRun(bytes, 0, error);
  if (!misaligned) {
    EXPECT_EQ(in_place, copied);
  }
  return copied;
}

FileHeader HeaderOf(const std::vector<std::byte>& plan) {
  FileHeader header;
  std::memcpy(&header, plan.data(), sizeof(header));
  return header;
}

TEST(OpenPlan, OpensPlansOfEarlierMinors) {
  std::set<int> minors;
  for (const auto& entry : std::filesystem::directory_iterator(LINNET_FUZZ_PLANS)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto* data = reinterpret_cast<const std::byte*>(text.data());
    const std::vector<std::byte> bytes(data, data + text.size());
    const PlacedBytes placed(bytes);
    linnet_plan* plan = nullptr;
    linnet_error error{};
    EXPECT_EQ(linnet_plan_open_memory(placed.data(), placed.size(), nullptr, &plan, &error),
              LINNET_OK)
        << entry.path() << ": " << error.text;
    linnet_plan_close(plan);
    minors.insert(HeaderOf(bytes).minor);
  }
  for (int minor = 1; minor <= kSchemaMinor; ++minor) EXPECT_TRUE(minors.contains(minor)) << minor;
}

class DamagedPlan : public testing::TestWithParam<const char*> {
 protected:
  const std::vector<std::byte>& plan_ =
      std::strcmp(GetParam(), "varying") == 0 ? VaryingPlan() : SmallPlan();
};
INSTANTIATE_TEST_SUITE_P(OpenPlan, DamagedPlan, testing::Values("small", "varying"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(DamagedPlan, RunsAtAnyAlignment) {
  for (size_t misalignment : {0, 1, 4, 8, 33}) {
    linnet_error error{};
    EXPECT_EQ(OpenAndRun(PlacedBytes(plan_, misalignment), &error), LINNET_OK) << error.text;
  }
}

TEST_P(DamagedPlan, TruncatedAnywhereIsRefused) {
  const auto end = static_cast<size_t>(HeaderOf(plan_).weights_offset);
  for (size_t bytes = 0; bytes < end; ++bytes) {
    const std::vector<std::byte> cut(plan_.begin(), plan_.begin() + static_cast<ptrdiff_t>(bytes));
    linnet_error error{};
    ASSERT_EQ(OpenAndRun(PlacedBytes(cut), &error), LINNET_INVALID_PLAN) << bytes;
    ASSERT_NE(error.text[0], '\0');
  }
}

// The header matches the truncated file; the structure itself ends early.
TEST_P(DamagedPlan, StructureCutShortIsRefused) {
  const FileHeader header = HeaderOf(plan_);
  for (uint64_t bytes = 0; bytes < header.structure_bytes; ++bytes) {
    std::vector<std::byte> plan = plan_;
    FileHeader cut = header;
    cut.structure_bytes = bytes;
    std::memcpy(plan.data(), &cut, sizeof(cut));
    linnet_error error{};
    ASSERT_NE(OpenAndRun(PlacedBytes(plan), &error), LINNET_OK) << bytes;
  }
}

TEST_P(DamagedPlan, EveryFlippedByteIsRefusedOrRunsSafely) {
  const auto end = static_cast<size_t>(HeaderOf(plan_).weights_offset);
  int refused = 0;
  for (size_t at = 0; at < end; ++at) {
    for (const uint8_t mask : {0x01, 0x80, 0xff}) {
      std::vector<std::byte> plan = plan_;
      plan[at] ^= std::byte{mask};
      linnet_error error{};
      if (OpenAndRun(PlacedBytes(plan), &error) != LINNET_OK) ++refused;
    }
  }
  EXPECT_GT(refused, static_cast<int>(end));  // most flipped bytes have an effect
}

// Offsets that lead to other data, also to other alignments: lists of 64-bit numbers at multiples
// of four.
TEST_P(DamagedPlan, EveryWordMovedByFourIsRefusedOrRunsSafely) {
  const FileHeader header = HeaderOf(plan_);
  for (uint64_t at = 0; at + 4 <= header.structure_bytes; at += 4) {
    for (const int32_t step : {-4, 4}) {
      std::vector<std::byte> plan = plan_;
      int32_t word;
      std::memcpy(&word, plan.data() + header.structure_offset + at, sizeof(word));
      word = static_cast<int32_t>(static_cast<uint32_t>(word) + static_cast<uint32_t>(step));
      std::memcpy(plan.data() + header.structure_offset + at, &word, sizeof(word));
      linnet_error error{};
      OpenAndRun(PlacedBytes(plan), &error);
    }
  }
}

TEST(OpenPlan, NewerMajorVersionIsRefusedWithBothVersions) {
  std::vector<std::byte> plan = SmallPlan();
  FileHeader header = HeaderOf(plan);
  header.major = kSchemaMajor + 1;
  std::memcpy(plan.data(), &header, sizeof(header));
  linnet_error error{};
  EXPECT_EQ(OpenAndRun(PlacedBytes(plan), &error), LINNET_VERSION_TOO_NEW);
  EXPECT_NE(std::strstr(error.text, std::to_string(kSchemaMajor + 1).c_str()), nullptr)
      << error.text;
}

TEST(OpenPlan, ForeignAndEmptyFiles) {
  linnet_error error{};
  linnet_plan* plan = nullptr;
  EXPECT_EQ(linnet_plan_open_file("/nonexistent.linnet", nullptr, &plan, &error), LINNET_IO);
  EXPECT_EQ(linnet_plan_open_file("/", nullptr, &plan, &error), LINNET_IO);
  EXPECT_EQ(linnet_plan_open_file(nullptr, nullptr, &plan, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
  const std::vector<std::byte> text(4096, std::byte{'a'});
  EXPECT_EQ(OpenAndRun(PlacedBytes(text), &error), LINNET_INVALID_PLAN);
}

TEST(OpenPlan, FileMappedAndCopied) {
  const std::string path = testing::TempDir() + "linnet_open_test.linnet";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(SmallPlan().data()),
             static_cast<std::streamsize>(SmallPlan().size()));
  for (uint32_t flags : {0u, static_cast<uint32_t>(LINNET_OPEN_COPY)}) {
    const linnet_open_options options{sizeof(options), flags};
    linnet_plan* plan = nullptr;
    linnet_session* session = nullptr;
    linnet_error error{};
    ASSERT_EQ(linnet_plan_open_file(path.c_str(), &options, &plan, &error), LINNET_OK)
        << error.text;
    ASSERT_EQ(linnet_session_create(plan, nullptr, &session, &error), LINNET_OK) << error.text;
    linnet_plan_stats stats{};
    stats.struct_size = sizeof(stats);
    ASSERT_EQ(linnet_plan_get_stats(plan, &stats), LINNET_OK);
    EXPECT_EQ(stats.plan_bytes, static_cast<int64_t>(SmallPlan().size()));
    EXPECT_GE(stats.arena_bytes, stats.lower_bound);
    linnet_session_destroy(session);
    linnet_plan_close(plan);
  }
  std::remove(path.c_str());
}

// A reader that decrypts, and one that fails.
struct XorReader {
  std::vector<std::byte> bytes;
  int fail = 0;
};

linnet_status OpenThroughHook(XorReader* reader, linnet_plan** plan, linnet_error* error) {
  const linnet_reader hook{
      sizeof(linnet_reader), reader,
      [](void* context) {
        return static_cast<int64_t>(static_cast<XorReader*>(context)->bytes.size());
      },
      [](void* context, int64_t offset, void* to, size_t bytes) {
        const auto* self = static_cast<XorReader*>(context);
        for (size_t i = 0; i < bytes; ++i)
          static_cast<std::byte*>(to)[i] =
              self->bytes[static_cast<size_t>(offset) + i] ^ std::byte{0x5a};
        return self->fail;
      }};
  return linnet_plan_open_reader(&hook, nullptr, plan, error);
}

TEST(OpenPlan, ReadHook) {
  XorReader reader{SmallPlan()};
  for (std::byte& byte : reader.bytes) byte ^= std::byte{0x5a};
  linnet_error error{};
  linnet_plan* plan = nullptr;
  ASSERT_EQ(OpenThroughHook(&reader, &plan, &error), LINNET_OK) << error.text;
  linnet_plan_close(plan);
  reader.fail = 1;
  EXPECT_EQ(OpenThroughHook(&reader, &plan, &error), LINNET_IO);
}

TEST(Names, OfStatusesAndTypes) {
  EXPECT_STREQ(linnet_status_name(LINNET_BAD_INDEX), "LINNET_BAD_INDEX");
  EXPECT_STREQ(linnet_status_name(static_cast<linnet_status>(99)), "LINNET_UNKNOWN");
  EXPECT_STREQ(linnet_dtype_name(LINNET_FLOAT32), "f32");
  EXPECT_STREQ(linnet_dtype_name(LINNET_BOOL), "bool");
  EXPECT_STREQ(linnet_dtype_name(static_cast<linnet_dtype>(99)), "invalid");
}

TEST(Version, IsThatOfTheHeader) {
  const std::string version = std::to_string(LINNET_VERSION_MAJOR) + "." +
                              std::to_string(LINNET_VERSION_MINOR) + "." +
                              std::to_string(LINNET_VERSION_PATCH);
  EXPECT_EQ(linnet_version(), version);
  EXPECT_STRNE(linnet_cpu_kernels(), "");
}

}  // namespace
}  // namespace linnet
