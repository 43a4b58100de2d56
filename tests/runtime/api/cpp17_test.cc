// SPDX-License-Identifier: Apache-2.0
// linnet.hpp, used by a C++17 program.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "linnet/linnet.hpp"
#include "tests/runtime/api/softmax_plan.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"
#include "tests/scratch_folder.h"

static_assert(__cplusplus == 201703L, "linnet.hpp promises C++17");

namespace {

class Cpp17 : public testing::Test {
 protected:
  const linnet::PlacedBytes bytes_{linnet::SoftmaxPlan()};
  const linnet::Span<const std::byte> span_{bytes_.data(), bytes_.size()};
};

// Rows of a softmax sum to one.
float SumAfterRun(linnet::Session* session) {
  const auto x = session->Input<float>(0);
  std::iota(x.begin(), x.end(), 0.0f);
  EXPECT_FALSE(session->Run());
  const auto y = session->Output<float>(0);
  return std::accumulate(y.begin(), y.end(), 0.0f);
}

TEST_F(Cpp17, ASessionKeepsItsPlanAndWeights) {
  auto session = [&] {
    auto plan = linnet::Plan::Open(span_);
    EXPECT_TRUE(plan);
    auto weights = linnet::Weights::Prepare(*plan);
    EXPECT_TRUE(weights);
    linnet::SessionOptions options;
    options.weights = &*weights;
    return linnet::Session::Create(*plan, options);
  }();
  ASSERT_TRUE(session);
  EXPECT_NEAR(SumAfterRun(&*session), 2.0f, 1e-6f);
  // A moved session is still the same session.
  linnet::Session moved = std::move(*session);
  EXPECT_NEAR(SumAfterRun(&moved), 2.0f, 1e-6f);
}

TEST_F(Cpp17, ThePlanTellsOfItsTensors) {
  auto plan = linnet::Plan::Open(span_);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->num_signatures(), 1);
  EXPECT_STREQ(plan->signature(0), "run");
  EXPECT_EQ(plan->num_inputs(), 1);
  EXPECT_EQ(plan->num_outputs(), 1);
  EXPECT_EQ(plan->input_info(0)->rank, 2);
  EXPECT_EQ(plan->output_info(0)->bytes, 24);
  EXPECT_EQ(plan->output_info(1), nullptr);
  EXPECT_EQ(plan->stats().steps, 1);
}

TEST(Cpp17Varying, NamesAndShapes) {
  const linnet::PlacedBytes bytes(linnet::VaryingPlan());
  auto plan = linnet::Plan::Open(linnet::Span<const std::byte>(bytes.data(), bytes.size()));
  ASSERT_TRUE(plan);
  auto session = linnet::Session::Create(*plan);
  ASSERT_TRUE(session);
  const int x = session->FindInput("x"), sum = session->FindOutput("sum");
  ASSERT_EQ(x, 0);
  ASSERT_EQ(sum, 0);
  EXPECT_EQ(session->FindInput("sum"), -1);
  EXPECT_EQ(session->FindOutput("x"), -1);
  const int64_t wanted[] = {5, 3};
  ASSERT_FALSE(session->SetInputShape(x, wanted));
  const linnet::Dims shape = session->InputShape(x);
  ASSERT_EQ(shape.rank, 2);
  EXPECT_EQ(shape.dims()[0], 5);
  EXPECT_EQ(shape.dims()[1], 3);
  EXPECT_EQ(session->Input<float>(x).size(), 15u);
  ASSERT_FALSE(session->Run());
  const linnet::BackendInfo backend = session->backend();
  EXPECT_NE(backend.backend, LINNET_BACKEND_VULKAN);
  EXPECT_EQ(backend.device_lost, 0);
  EXPECT_NE(backend.why_not_gpu, nullptr);
  EXPECT_EQ(backend.self_test, LINNET_SELF_TEST_NONE);
  EXPECT_EQ(session->Cache({}), 0) << "nothing of the CPU is worth keeping";
  EXPECT_EQ(session->OutputShape(sum).dims()[0], 5);
  EXPECT_EQ(session->OutputShape(-1).rank, -1);
  EXPECT_TRUE(session->OutputShape(-1).dims().empty());
}

TEST_F(Cpp17, PartsOfFilesAndBlocks) {
  const linnet::ScratchFolder folder;
  const std::string plan(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
  const std::string path = linnet::WriteAll(folder / "archive", "before" + plan);
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  auto part = linnet::Plan::OpenFd(fd, 6, 0);
  close(fd);
  ASSERT_TRUE(part) << part.error().text;
  EXPECT_EQ(linnet::Plan::OpenFd(-1, 0, 0).error().status, LINNET_INVALID_ARGUMENT);
  std::vector<std::byte> memory(static_cast<size_t>(part->bytes()) + 64);
  linnet::OpenOptions options;
  options.flags = LINNET_OPEN_IN_PLACE;
  options.block = {memory.data(), memory.size()};
  auto in_place = linnet::Plan::Open(span_, options);
  ASSERT_TRUE(in_place) << in_place.error().text;
  for (const auto* opened : {&*part, &*in_place}) {
    auto session = linnet::Session::Create(*opened);
    ASSERT_TRUE(session);
    EXPECT_NEAR(SumAfterRun(&*session), 2.0f, 1e-6f);
  }
}

// What linnet.hpp does not wrap can be done through linnet.h with the same objects.
TEST_F(Cpp17, ObjectsAreThoseOfTheCApi) {
  linnet::OpenOptions open;
  open.flags = LINNET_OPEN_COPY;
  EXPECT_EQ(open.ToC().struct_size, sizeof(linnet_open_options));
  EXPECT_EQ(open.ToC().flags, open.flags);
  auto plan = linnet::Plan::Open(span_, open);
  ASSERT_TRUE(plan);
  EXPECT_EQ(linnet_plan_num_signatures(plan->get()), 1);
  auto weights = linnet::Weights::Prepare(*plan);
  ASSERT_TRUE(weights);
  linnet::SessionOptions options;
  options.weights = &*weights;
  EXPECT_EQ(options.ToC().struct_size, sizeof(linnet_session_options));
  EXPECT_EQ(options.ToC().weights, weights->get());
  auto session = linnet::Session::Create(*plan, options);
  ASSERT_TRUE(session);
  float x[6] = {};
  linnet::Buffer memory;
  memory.address = x;
  memory.bytes = sizeof(x);
  const linnet_buffer buffer = memory.ToC();
  EXPECT_EQ(linnet_session_bind_input_buffer(session->get(), 0, &buffer), LINNET_OK);
}

TEST_F(Cpp17, TypedAccessRefusesOtherTypes) {
  static_assert(linnet::Holds<const uint8_t>(LINNET_BOOL) && linnet::Holds<bool>(LINNET_BOOL));
  static_assert(!linnet::Holds<int64_t>(LINNET_FLOAT64) && !linnet::Holds<float>(99));
  auto plan = linnet::Plan::Open(span_);
  auto session = linnet::Session::Create(*plan);
  ASSERT_TRUE(session);
  EXPECT_EQ(session->Input<float>(0).size(), 6u);
  EXPECT_TRUE(session->Input<int32_t>(0).empty());  // of the same size
  EXPECT_TRUE(session->Output<uint32_t>(0).empty());
  EXPECT_TRUE(session->Input<float>(1).empty());
}

TEST_F(Cpp17, ErrorsSayWhy) {
  const std::byte nothing[4] = {};
  auto plan = linnet::Plan::Open(linnet::Span<const std::byte>(nothing));
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().status, LINNET_INVALID_PLAN);
  auto good = linnet::Plan::Open(span_);
  linnet::SessionOptions options;
  options.signature = "walk";
  EXPECT_EQ(linnet::Session::Create(*good, options).error().status, LINNET_INVALID_ARGUMENT);
  auto session = linnet::Session::Create(*good);
  const auto error = session->SetInputShape(7, {});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->status, LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(session->last_error().status, LINNET_INVALID_ARGUMENT);
}

TEST_F(Cpp17, Readers) {
  const auto size = [this] { return static_cast<int64_t>(bytes_.size()); };
  auto plan = linnet::Plan::OpenReader(size, [this](int64_t offset, void* to, size_t bytes) {
    std::memcpy(to, bytes_.data() + offset, bytes);
    return true;
  });
  ASSERT_TRUE(plan);
  auto session = linnet::Session::Create(*plan);
  EXPECT_NEAR(SumAfterRun(&*session), 2.0f, 1e-6f);
  auto failed = linnet::Plan::OpenReader(size, [](int64_t, void*, size_t) { return false; });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().status, LINNET_IO);
}

TEST_F(Cpp17, BlocksAndBoundMemory) {
  auto plan = linnet::Plan::Open(span_);
  auto memory = linnet::Session::Measure(*plan);
  ASSERT_TRUE(memory);
  std::vector<std::byte> block(static_cast<size_t>(memory->block) + 64);  // at any address
  linnet::SessionOptions options;
  options.block = block;
  options.cache = block;  // where no GPU is used, nobody looks at it
  options.store_cache = [](void*, const void*, size_t) {};
  options.store_context = nullptr;
  options.flags = LINNET_SESSION_NO_SELF_TEST;
  auto session = linnet::Session::Create(*plan, options);
  ASSERT_TRUE(session) << session.error().text;
  alignas(64) float x[16] = {1, 2, 3, 4, 5, 6}, y[16] = {};
  const auto bytes_of = [](float(&values)[16]) {
    return linnet::Span<std::byte>(reinterpret_cast<std::byte*>(values), sizeof(values));
  };
  ASSERT_FALSE(session->BindInput(0, bytes_of(x)));
  ASSERT_FALSE(session->BindOutput(0, bytes_of(y)));
  ASSERT_FALSE(session->Run());
  EXPECT_NEAR(y[0] + y[1] + y[2], 1.0f, 1e-6f);
  EXPECT_LE(session->memory().block, memory->block);
}

TEST_F(Cpp17, DevicesAllocatorsAndRows) {
  static int pieces;
  pieces = 0;
  linnet::Allocator allocator{};
  allocator.struct_size = sizeof(allocator);
  allocator.allocate = [](void*, size_t bytes, size_t) {
    ++pieces;
    return std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  };
  allocator.release = [](void*, void* memory, size_t) {
    --pieces;
    std::free(memory);
  };
  linnet::OpenOptions open;
  open.allocator = &allocator;
  {
    auto plan = linnet::Plan::Open(span_, open);
    ASSERT_TRUE(plan) << plan.error().text;
    EXPECT_GT(pieces, 0);
    linnet::SessionOptions options;
    ASSERT_GE(linnet::NumDevices(), 1);
    options.device = linnet::GetDevice(0)->id;
    auto session = linnet::Session::Create(*plan, options);
    ASSERT_TRUE(session) << session.error().text;
    options.device = "abacus";
    EXPECT_EQ(linnet::Session::Create(*plan, options).error().status, LINNET_UNSUPPORTED);
    float x[] = {1, 2, 3, -1, 4, 5, 6}, y[8] = {};
    linnet::Buffer from, to;
    from.address = x;
    from.bytes = sizeof(x);
    from.pitch = 4 * sizeof(float);
    to.address = y;
    to.bytes = sizeof(y);
    to.pitch = 5 * sizeof(float);
    ASSERT_FALSE(session->BindInputBuffer(0, from));
    ASSERT_FALSE(session->BindOutputBuffer(0, to));
    ASSERT_FALSE(session->Submit());
    EXPECT_EQ(session->Submit()->status, LINNET_INVALID_ARGUMENT);
    ASSERT_FALSE(session->Wait());
    EXPECT_NEAR(y[0] + y[1] + y[2], 1.0f, 1e-6f);
    EXPECT_EQ(y[3] + y[4], 0.0f);
    EXPECT_NEAR(y[5] + y[6] + y[7], 1.0f, 1e-6f);
    from.kind = 9;
    EXPECT_EQ(session->BindInputBuffer(0, from)->status, LINNET_UNSUPPORTED);
  }
  EXPECT_EQ(pieces, 0);
}

TEST_F(Cpp17, StepsAndTheirTimes) {
  auto plan = linnet::Plan::Open(span_);
  auto session = linnet::Session::Create(*plan);
  ASSERT_EQ(session->num_steps(), 1);
  EXPECT_STREQ(session->step_info(0)->op, "Softmax");
  EXPECT_FALSE(session->step_info(1));
  EXPECT_TRUE(session->step_ns().empty());
  session->EnableProfile(true);
  EXPECT_NEAR(SumAfterRun(&*session), 2.0f, 1e-6f);
  ASSERT_EQ(session->step_ns().size(), 1u);
  EXPECT_GT(session->step_ns()[0], 0);
  EXPECT_STREQ(session->step_info(0)->layout, "dense");
  EXPECT_STREQ(session->step_info(0)->chosen_by, "rules");
  EXPECT_EQ(session->device_times().submissions, 0);
  session->Cancel();
  EXPECT_EQ(session->Run()->status, LINNET_CANCELLED);
  session->Reset();
  EXPECT_FALSE(session->Run());
}

// A profile by which `backend` is the faster one for the step `kind`.
std::string KernelProfile(const char* backend, const char* kind) {
  const linnet_device* cpu = linnet::GetDevice(0);
  return std::string("linnet kernel profile 1\ncpu ") + cpu->name + "\ninstructions " +
         cpu->instruction_set + "\nkernels " + linnet_cpu_kernels() + "\nthreads 1\n" + backend +
         "\t\t" + kind + "\nend 1\n";
}

TEST_F(Cpp17, KernelProfiles) {
  auto plan = linnet::Plan::Open(span_);
  auto session = linnet::Session::Create(*plan);
  char kind[200] = "";
  const int length = session->StepKind(0, kind);
  EXPECT_EQ(std::strlen(kind), static_cast<size_t>(length));
  const auto create = [&](const std::string& profile, int threads) {
    linnet::SessionOptions options;
    options.threads = threads;
    options.kernels = {reinterpret_cast<const std::byte*>(profile.data()), profile.size()};
    return linnet::Session::Create(*plan, options);
  };
  if (length == 0) {
    EXPECT_TRUE(create("no profile", 1)) << "without a choice nobody looks at it";
    return;
  }
  for (const char* backend : {"xnnpack", "portable"}) {
    const std::string profile = KernelProfile(backend, kind);
    auto by_profile = create(profile, 1);
    ASSERT_TRUE(by_profile) << by_profile.error().text;
    EXPECT_STREQ(by_profile->step_info(0)->backend, backend);
    EXPECT_STREQ(by_profile->step_info(0)->chosen_by, "profile");
    EXPECT_NEAR(SumAfterRun(&*by_profile), 2.0f, 1e-6f);
    auto other_threads = create(profile, 2);
    EXPECT_EQ(other_threads.error().status, LINNET_UNSUPPORTED);
    EXPECT_NE(std::strstr(other_threads.error().text, "threads 1, and this is threads 2"), nullptr);
  }
  auto damaged = create("no profile", 1);
  EXPECT_EQ(damaged.error().status, LINNET_INVALID_ARGUMENT);
  EXPECT_NE(std::strstr(damaged.error().text, "the kernel profile, line 1: "), nullptr);
}

}  // namespace
