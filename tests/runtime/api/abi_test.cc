// SPDX-License-Identifier: Apache-2.0
// Programs built with an older header pass smaller structs, programs built with a newer header
// larger ones. The library fills the part that it knows, and neither reads nor writes anything
// behind the end of a struct.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>

#include "linnet/linnet.h"
#include "tests/runtime/api/softmax_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

// A struct, and the caller's bytes behind it.
template <typename Struct>
struct WithNeighbour {
  Struct value;
  unsigned char behind[64];
  explicit WithNeighbour(size_t struct_size) {
    std::memset(static_cast<void*>(this), 0xa5, sizeof(*this));
    value.struct_size = struct_size;
  }
  // Are all bytes from `bytes` on unchanged?
  bool IsUntouchedFrom(size_t bytes) const {
    const auto* at = reinterpret_cast<const unsigned char*>(this);
    for (size_t i = bytes; i < sizeof(*this); ++i)
      if (at[i] != 0xa5) return false;
    return true;
  }
};

class Abi : public testing::Test {
 protected:
  void SetUp() override {
    bytes_.emplace(SoftmaxPlan());
    ASSERT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), nullptr, &plan_, nullptr),
              LINNET_OK);
    ASSERT_EQ(linnet_session_create(plan_, nullptr, &session_, nullptr), LINNET_OK);
  }
  void TearDown() override {
    linnet_session_destroy(session_);
    linnet_plan_close(plan_);
  }

  std::optional<PlacedBytes> bytes_;
  linnet_plan* plan_ = nullptr;
  linnet_session* session_ = nullptr;
};

// Padding may hold anything, as it does at the end of linnet_step_info on 32 bits. Clang has no way
// to clear it.
template <typename Struct>
void ClearPadding([[maybe_unused]] Struct* value) {
#if __has_builtin(__builtin_clear_padding)
  __builtin_clear_padding(value);
#endif
}

// Tests a function that fills a struct, with every size that a former version may have had.
template <typename Struct, typename Get>
void ExpectServedAtEverySize(const Get& get) {
  // Behind struct_size, and behind the padding there of structs that are aligned more strictly.
  constexpr size_t kFirst = std::max(sizeof(size_t), alignof(Struct));
  const Struct whole = [&] {
    Struct filled{};
    filled.struct_size = sizeof(filled);
    EXPECT_TRUE(get(&filled));
    ClearPadding(&filled);
    return filled;
  }();
  for (size_t size = sizeof(size_t); size <= sizeof(Struct); size += sizeof(void*)) {
    WithNeighbour<Struct> old(size);
    EXPECT_TRUE(get(&old.value)) << size;
    EXPECT_EQ(old.value.struct_size, size);
    EXPECT_TRUE(old.IsUntouchedFrom(size)) << size;
    if (size <= kFirst) continue;
    ClearPadding(&old.value);
    EXPECT_EQ(std::memcmp(reinterpret_cast<const char*>(&old.value) + kFirst,
                          reinterpret_cast<const char*>(&whole) + kFirst, size - kFirst),
              0)
        << size;
  }
  WithNeighbour<Struct> newer(sizeof(Struct) + 32);
  EXPECT_TRUE(get(&newer.value));
  EXPECT_TRUE(newer.IsUntouchedFrom(sizeof(Struct)));
  WithNeighbour<Struct> unset(0);
  EXPECT_FALSE(get(&unset.value));
  EXPECT_TRUE(unset.IsUntouchedFrom(sizeof(size_t)));
}

TEST_F(Abi, ResultsOfEverySize) {
  ExpectServedAtEverySize<linnet_memory>([this](linnet_memory* memory) {
    return linnet_session_memory(session_, memory) == LINNET_OK;
  });
  ExpectServedAtEverySize<linnet_plan_stats>([this](linnet_plan_stats* stats) {
    return linnet_plan_get_stats(plan_, stats) == LINNET_OK;
  });
  ExpectServedAtEverySize<linnet_device_times>([this](linnet_device_times* times) {
    return linnet_session_device_times(session_, times) == LINNET_OK;
  });
  ExpectServedAtEverySize<linnet_step_info>([this](linnet_step_info* info) {
    return linnet_session_get_step_info(session_, 0, info) != 0;
  });
}

// The error is written after a success and after every failure, as by all functions that take one.
TEST_F(Abi, SessionBytesFillsTheError) {
  const auto measure = [this](size_t struct_size, linnet_error* error) {
    std::memset(error, 0x5a, sizeof(*error));
    linnet_memory memory{};
    memory.struct_size = struct_size;
    const linnet_status status = linnet_session_bytes(plan_, nullptr, &memory, error);
    EXPECT_EQ(memory.block > 0, status == LINNET_OK);
    return status;
  };
  linnet_error error;
  EXPECT_EQ(measure(sizeof(linnet_memory), &error), LINNET_OK);
  EXPECT_EQ(error.status, LINNET_OK);
  EXPECT_EQ(error.bytes_needed, 0);
  EXPECT_STREQ(error.text, "");
  EXPECT_EQ(measure(0, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(error.status, LINNET_INVALID_ARGUMENT);
  EXPECT_STREQ(error.text, "memory->struct_size is not set");
}

// Size 0 leaves out all members, whatever they say.
TEST_F(Abi, OptionsWithoutASizeAreDefaults) {
  linnet_session_options options{};
  options.signature = "walk";
  linnet_session* session = nullptr;
  ASSERT_EQ(linnet_session_create(plan_, &options, &session, nullptr), LINNET_OK);
  linnet_session_destroy(session);
  options.struct_size = sizeof(options);
  EXPECT_EQ(linnet_session_create(plan_, &options, &session, nullptr), LINNET_INVALID_ARGUMENT);
}

TEST_F(Abi, OptionsOfEverySize) {
  // Bytes behind the given size would be bad pointers if the library read them.
  for (size_t size = 0; size <= offsetof(linnet_session_options, pool); size += sizeof(int32_t)) {
    WithNeighbour<linnet_session_options> old(size);
    old.value.signature = nullptr;
    old.value.backend = LINNET_BACKEND_PORTABLE;
    old.value.threads = 1;
    linnet_session* session = nullptr;
    linnet_error error{};
    ASSERT_EQ(linnet_session_create(plan_, &old.value, &session, &error), LINNET_OK)
        << size << ": " << error.text;
    EXPECT_EQ(linnet_session_run(session), LINNET_OK);
    linnet_session_destroy(session);
  }
}

TEST_F(Abi, ReadersOfEverySize) {
  WithNeighbour<linnet_reader> old(offsetof(linnet_reader, read));
  old.value.size = [](void*) { return int64_t{1}; };
  linnet_plan* plan = nullptr;
  linnet_error error{};
  EXPECT_EQ(linnet_plan_open_reader(&old.value, nullptr, &plan, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_STREQ(error.text, "reader is NULL or lacks a function");
}

TEST_F(Abi, OpenOptionsOfEverySize) {
  for (size_t size = 0; size <= offsetof(linnet_open_options, allocator); size += sizeof(int32_t)) {
    WithNeighbour<linnet_open_options> old(size);
    old.value.flags = LINNET_OPEN_COPY;
    linnet_plan* plan = nullptr;
    linnet_error error{};
    ASSERT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), &old.value, &plan, &error),
              LINNET_OK)
        << size << ": " << error.text;
    linnet_plan_close(plan);
  }
}

TEST_F(Abi, UnknownFlagsAreRefused) {
  linnet_open_options options{};
  options.struct_size = sizeof(options);
  options.flags = LINNET_OPEN_COPY | 4;
  linnet_plan* plan = plan_;
  linnet_error error{};
  EXPECT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), &options, &plan, &error),
            LINNET_INVALID_ARGUMENT);
  EXPECT_STREQ(error.text, "flags has a bit that this library does not know");
  EXPECT_EQ(plan, nullptr);
}

TEST_F(Abi, AllocatorsOfEverySize) {
  WithNeighbour<linnet_allocator> old(offsetof(linnet_allocator, release));
  linnet_open_options options{};
  options.struct_size = sizeof(options);
  options.allocator = &old.value;
  linnet_plan* plan = nullptr;
  linnet_error error{};
  EXPECT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), &options, &plan, &error),
            LINNET_INVALID_ARGUMENT);
  EXPECT_STREQ(error.text, "the allocator lacks a function");
}

TEST_F(Abi, BuffersOfEverySize) {
  float values[6] = {};
  WithNeighbour<linnet_buffer> old(offsetof(linnet_buffer, pitch));
  old.value.kind = LINNET_BUFFER_POINTER;
  old.value.format = LINNET_FORMAT_TENSOR;
  old.value.address = values;
  old.value.bytes = sizeof(values);
  EXPECT_EQ(linnet_session_bind_input_buffer(session_, 0, &old.value), LINNET_OK);
  old.value.struct_size = offsetof(linnet_buffer, bytes);
  EXPECT_EQ(linnet_session_bind_input_buffer(session_, 0, &old.value), LINNET_INVALID_ARGUMENT);
  old.value.struct_size = sizeof(size_t);
  EXPECT_EQ(linnet_session_bind_input_buffer(session_, 0, &old.value), LINNET_UNSUPPORTED);
  EXPECT_EQ(linnet_session_run(session_), LINNET_OK);
}

// Sessions and the plan must describe the same tensors.
TEST_F(Abi, InfosComeFromThePlan) {
  ASSERT_EQ(linnet_plan_num_signatures(plan_), 1);
  EXPECT_STREQ(linnet_plan_signature(plan_, 0), "run");
  EXPECT_EQ(linnet_plan_signature(plan_, 1), nullptr);
  EXPECT_EQ(linnet_session_num_inputs(session_), 1);
  EXPECT_EQ(linnet_session_num_outputs(session_), 1);
  ASSERT_EQ(linnet_plan_num_inputs(plan_, 0), 1);
  ASSERT_EQ(linnet_plan_num_outputs(plan_, 0), 1);
  EXPECT_EQ(linnet_plan_num_inputs(plan_, 1), 0);
  EXPECT_EQ(linnet_plan_num_outputs(plan_, -1), 0);
  const linnet_tensor_info* input = linnet_plan_input_info(plan_, 0, 0);
  const linnet_tensor_info* output = linnet_plan_output_info(plan_, 0, 0);
  ASSERT_NE(input, nullptr);
  ASSERT_NE(output, nullptr);
  EXPECT_EQ(input, linnet_session_input_info(session_, 0));
  EXPECT_EQ(output, linnet_session_output_info(session_, 0));
  EXPECT_EQ(input->rank, 2);
  EXPECT_EQ(input->dims[1], 3);
  EXPECT_EQ(output->bytes, 24);
  EXPECT_EQ(linnet_plan_input_info(plan_, 0, 1), nullptr);
  EXPECT_EQ(linnet_plan_output_info(plan_, 0, -1), nullptr);
  EXPECT_EQ(linnet_plan_output_info(plan_, 1, 0), nullptr);
}

TEST_F(Abi, LastErrorIsThatOfTheLastCall) {
  EXPECT_EQ(linnet_session_bind_input(session_, 7, nullptr, 0), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_last_error(session_)->status, LINNET_INVALID_ARGUMENT);
  EXPECT_STREQ(linnet_session_last_error(session_)->text, "no such input");
  EXPECT_EQ(linnet_session_run(session_), LINNET_OK);
  EXPECT_EQ(linnet_session_last_error(session_)->status, LINNET_OK);
  EXPECT_STREQ(linnet_session_last_error(session_)->text, "");
}

}  // namespace
}  // namespace linnet
