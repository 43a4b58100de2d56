// SPDX-License-Identifier: Apache-2.0
// Memory from the program's own allocator: all of it is given back, with the size that was
// requested, and a refused request leads to an error.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "linnet/linnet.h"
#include "tests/runtime/api/softmax_plan.h"
#include "tests/runtime/placed_bytes.h"
#include "tests/scratch_folder.h"

namespace linnet {
namespace {

// Gives memory from malloc and keeps a record of it.
class Book {
 public:
  explicit Book(int64_t fail_at = -1) : fail_at_(fail_at) {}
  ~Book() { EXPECT_TRUE(live_.empty()) << live_.size() << " pieces were not given back"; }

  linnet_allocator hooks() {
    linnet_allocator hooks{};
    hooks.struct_size = sizeof(hooks);
    hooks.context = this;
    hooks.allocate = [](void* self, size_t bytes, size_t alignment) {
      return static_cast<Book*>(self)->Allocate(bytes, alignment);
    };
    hooks.release = [](void* self, void* memory, size_t bytes) {
      static_cast<Book*>(self)->Release(memory, bytes);
    };
    return hooks;
  }
  int64_t calls() const { return calls_; }

 private:
  void* Allocate(size_t bytes, size_t alignment) {
    const std::lock_guard<std::mutex> lock(mutex_);
    EXPECT_GT(bytes, 0u);
    EXPECT_LE(alignment, 64u);
    EXPECT_EQ(alignment & (alignment - 1), 0u);
    if (calls_++ == fail_at_) return nullptr;
    void* memory = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    live_[memory] = bytes;
    return memory;
  }
  void Release(void* memory, size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto piece = live_.find(memory);
    ASSERT_NE(piece, live_.end());
    EXPECT_EQ(piece->second, bytes);
    live_.erase(piece);
    std::free(memory);
  }

  std::mutex mutex_;
  const int64_t fail_at_;
  int64_t calls_ = 0;
  std::map<void*, size_t> live_;
};

// The ways to open a plan.
enum class From { kMemory, kFile, kReader };

class Allocator : public testing::TestWithParam<From> {
 protected:
  linnet_status Open(const linnet_allocator* allocator, linnet_plan** plan) {
    linnet_open_options options{};
    options.struct_size = sizeof(options);
    options.flags = LINNET_OPEN_COPY;
    options.allocator = allocator;
    linnet_reader reader{};
    reader.struct_size = sizeof(reader);
    reader.context = this;
    reader.size = [](void* self) {
      return static_cast<int64_t>(static_cast<Allocator*>(self)->bytes_.size());
    };
    reader.read = [](void* self, int64_t offset, void* to, size_t bytes) {
      std::memcpy(to, static_cast<Allocator*>(self)->bytes_.data() + offset, bytes);
      return 0;
    };
    switch (GetParam()) {
      case From::kMemory:
        return linnet_plan_open_memory(bytes_.data(), bytes_.size(), &options, plan, &error_);
      case From::kFile:
        return linnet_plan_open_file(path_.c_str(), &options, plan, &error_);
      case From::kReader:
        return linnet_plan_open_reader(&reader, &options, plan, &error_);
    }
    return LINNET_INTERNAL;
  }

  // Opens, prepares, creates and runs, then releases everything.
  linnet_status Life(Book* book, linnet_backend backend) {
    const linnet_allocator hooks = book->hooks();
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = backend;
    linnet_plan* plan = nullptr;
    linnet_weights* weights = nullptr;
    linnet_session* session = nullptr;
    linnet_status status = Open(&hooks, &plan);
    if (status == LINNET_OK) status = linnet_weights_prepare(plan, &options, &weights, &error_);
    options.weights = weights;
    if (status == LINNET_OK) status = linnet_session_create(plan, &options, &session, &error_);
    if (status == LINNET_OK) {
      const int64_t before = book->calls();
      status = linnet_session_run(session);
      EXPECT_EQ(book->calls(), before);
    }
    linnet_session_destroy(session);
    linnet_weights_release(weights);
    linnet_plan_close(plan);
    return status;
  }

  const PlacedBytes bytes_{SoftmaxPlan()};
  const ScratchFolder folder_;
  const std::string path_ = WriteAll(folder_ / "plan.linnet",
                                     {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()});
  linnet_error error_{};
};

TEST_P(Allocator, AllMemoryIsGivenBack) {
  for (const linnet_backend backend : {LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE}) {
    Book book;
    EXPECT_EQ(Life(&book, backend), LINNET_OK) << error_.text;
    EXPECT_GT(book.calls(), 5);
  }
}

TEST_P(Allocator, EachRefusalIsAnError) {
  for (const linnet_backend backend : {LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE}) {
    Book counting;
    ASSERT_EQ(Life(&counting, backend), LINNET_OK) << error_.text;
    for (int64_t i = 0; i < counting.calls(); ++i) {
      Book book(i);
      EXPECT_EQ(Life(&book, backend), LINNET_NO_MEMORY) << "call " << i << ": " << error_.text;
    }
  }
}

TEST_P(Allocator, MissingFunctionsAreRefused) {
  Book book;
  linnet_plan* plan = nullptr;
  linnet_allocator hooks = book.hooks();
  hooks.release = nullptr;
  EXPECT_EQ(Open(&hooks, &plan), LINNET_INVALID_ARGUMENT);
  EXPECT_STREQ(error_.text, "the allocator lacks a function");
  hooks = book.hooks();
  hooks.allocate = nullptr;
  EXPECT_EQ(Open(&hooks, &plan), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
  EXPECT_EQ(book.calls(), 0);
}

INSTANTIATE_TEST_SUITE_P(Ways, Allocator,
                         testing::Values(From::kMemory, From::kFile, From::kReader));

}  // namespace
}  // namespace linnet
