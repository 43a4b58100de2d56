// SPDX-License-Identifier: Apache-2.0
// Which program of a signature a session runs, and what it says about that.
#include <optional>

#include "tests/plans/graph_plan.h"
#include "tests/runtime/api/gpu_session.h"

namespace linnet {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kHostOnly[] = "x = arg f32[4] a = Softmax(x) out = ret(a)";

class BackendChoice : public GpuTest {
 protected:
  // What creating a session fails with.
  std::pair<linnet_status, std::string> Fails(const linnet_session_options& options) {
    linnet_session* session = nullptr;
    linnet_error error{};
    const linnet_status status = linnet_session_create(plan_, &options, &session, &error);
    EXPECT_EQ(session, nullptr);
    return {status, error.text};
  }
};

TEST_F(BackendChoice, TheGpuWhereThePlanHasAProgramForIt) {
  OpenVariants(kMixed);
  for (const linnet_backend backend : {LINNET_BACKEND_AUTO, LINNET_BACKEND_VULKAN}) {
    linnet_session* session = Create(backend);
    EXPECT_EQ(InfoOf(session).backend, LINNET_BACKEND_VULKAN);
    EXPECT_EQ(InfoOf(session).device_lost, 0);
    EXPECT_EQ(WhyNot(session), "");
    const int runs = FakeGpu().counts().runs;
    EXPECT_EQ(linnet_session_run(session), LINNET_OK);
    EXPECT_EQ(FakeGpu().counts().runs, runs + 2);
    linnet_memory memory{};
    memory.struct_size = sizeof(memory);
    ASSERT_EQ(linnet_session_memory(session, &memory), LINNET_OK);
    EXPECT_GT(memory.devices, 0);
  }
  EXPECT_THAT(log_, HasSubstr("steps run on fake"));
  EXPECT_THAT(log_, Not(HasSubstr("warning")));
}

TEST_F(BackendChoice, TheCpuWhereItIsAskedFor) {
  OpenVariants(kMixed);
  for (const linnet_backend backend :
       {LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE, LINNET_BACKEND_PLAIN}) {
    linnet_session* session = Create(backend);
    EXPECT_EQ(InfoOf(session).backend, backend);
    EXPECT_EQ(WhyNot(session), "the CPU is asked for");
    EXPECT_EQ(linnet_session_run(session), LINNET_OK);
    EXPECT_EQ(linnet_session_num_steps(session), 3) << "the host's program has no copies";
  }
  linnet_session_options options = Options(LINNET_BACKEND_AUTO);
  options.device = "cpu";
  EXPECT_EQ(WhyNot(Create(options)), "the CPU is asked for");
  EXPECT_EQ(FakeGpu().counts().runs, 0);
  options.backend = LINNET_BACKEND_VULKAN;
  EXPECT_EQ(Fails(options).first, LINNET_INVALID_ARGUMENT);
}

TEST_F(BackendChoice, PlainWeightsTakeNoMemory) {
  Open(TextPlan(R"(
      x = arg f32[1,5,5,3] a = Conv2D(x, const f32[4,3,3,3] seed=1, const f32[4] seed=2)
      b = Reshape(a) {shape: [1, 36]} c = FullyConnected(b, const f32[5,36] seed=3) out = ret(c))"));
  std::vector<float> outputs[2];
  for (const linnet_backend backend : {LINNET_BACKEND_PORTABLE, LINNET_BACKEND_PLAIN}) {
    linnet_session* session = Create(backend);
    EXPECT_EQ(InfoOf(session).backend, backend);
    Fill(session, std::vector<float>(75, 0.5f));
    ASSERT_EQ(linnet_session_run(session), LINNET_OK);
    outputs[backend == LINNET_BACKEND_PLAIN] = Output(session);
    linnet_memory memory{};
    memory.struct_size = sizeof(memory);
    ASSERT_EQ(linnet_session_memory(session, &memory), LINNET_OK);
    EXPECT_EQ(memory.prepared == 0, backend == LINNET_BACKEND_PLAIN) << memory.prepared;
  }
  for (size_t i = 0; i < outputs[0].size(); ++i)
    EXPECT_NEAR(outputs[0][i], outputs[1][i], 1e-6f) << i;
  EXPECT_GT(outputs[0].size(), 0u);
}

TEST_F(BackendChoice, TheGpuIsADevice) {
  ASSERT_EQ(linnet_num_devices(), 2);
  const linnet_device* gpu = linnet_get_device(1);
  ASSERT_NE(gpu, nullptr);
  EXPECT_STREQ(gpu->id, "vulkan");
  EXPECT_STREQ(gpu->name, "Abacus 7");
  EXPECT_STREQ(gpu->driver, "beads");
  EXPECT_EQ(gpu->kind, LINNET_DEVICE_GPU);
  EXPECT_EQ(gpu->threads, 0);
  EXPECT_EQ(gpu->is_software, 0);
  EXPECT_EQ(gpu->computes_f16, 1);
  EXPECT_EQ(gpu->memory_bytes, 42);
  EXPECT_EQ(linnet_get_device(2), nullptr);
  FakeGpu().Remove("it was unplugged");
  EXPECT_EQ(linnet_get_device(1), gpu) << "what a program was told stays";
  EXPECT_EQ(linnet_num_devices(), 2);
}

TEST_F(BackendChoice, TheGpuAsTheDevice) {
  OpenVariants(kMixed);
  FakeGpu().set_is_software(true);
  linnet_session_options options = Options(LINNET_BACKEND_AUTO);
  EXPECT_NE(WhyNot(Create(options)), "") << "it has to be asked for";
  options.device = linnet_get_device(1)->id;
  for (const linnet_backend backend : {LINNET_BACKEND_AUTO, LINNET_BACKEND_VULKAN}) {
    options.backend = backend;
    linnet_session* session = Create(options);
    EXPECT_EQ(InfoOf(session).backend, LINNET_BACKEND_VULKAN) << WhyNot(session);
    EXPECT_EQ(linnet_session_run(session), LINNET_OK);
  }
  for (const linnet_backend backend :
       {LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE, LINNET_BACKEND_PLAIN}) {
    options.backend = backend;
    EXPECT_EQ(Fails(options).first, LINNET_INVALID_ARGUMENT);
  }
  options.backend = LINNET_BACKEND_AUTO;
  FakeGpu().Remove("it was unplugged");
  EXPECT_EQ(WhyNot(Create(options)), "it was unplugged");
  EXPECT_THAT(log_, HasSubstr("warning: the CPU runs the plan: it was unplugged"));
}

TEST_F(BackendChoice, BothProgramsGiveTheSame) {
  OpenVariants(kMixed);
  std::vector<float> outputs[2];
  for (const linnet_backend backend : {LINNET_BACKEND_PORTABLE, LINNET_BACKEND_VULKAN}) {
    linnet_session* session = Create(backend);
    Fill(session, {0.1f, 0.2f, 0.4f, 0.8f});
    ASSERT_EQ(linnet_session_run(session), LINNET_OK);
    outputs[backend == LINNET_BACKEND_VULKAN ? 1 : 0] = Output(session);
  }
  EXPECT_EQ(outputs[0], outputs[1]);
}

TEST_F(BackendChoice, NoProgramForTheGpu) {
  Open(TextPlan(kMixed));
  EXPECT_THAT(WhyNot(Create(LINNET_BACKEND_AUTO)), HasSubstr("not converted for one"));
  EXPECT_THAT(log_, Not(HasSubstr("the CPU runs the plan"))) << "nobody expects anything else";
  const auto [status, text] = Fails(Options(LINNET_BACKEND_VULKAN));
  EXPECT_EQ(status, LINNET_UNSUPPORTED);
  EXPECT_THAT(text, HasSubstr("--place vulkan"));
}

TEST_F(BackendChoice, NothingIsPlacedThere) {
  OpenVariants(kHostOnly);
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  EXPECT_EQ(InfoOf(session).backend, LINNET_BACKEND_CPU);
  EXPECT_EQ(WhyNot(session), "the converter could place no step on the GPU");
  EXPECT_THAT(log_, HasSubstr("warning: the CPU runs the plan: the converter could place no step"));
}

TEST_F(BackendChoice, NoUsableGpu) {
  OpenVariants(kMixed);
  FakeGpu().Remove("the driver is too old");
  EXPECT_EQ(WhyNot(Create(LINNET_BACKEND_AUTO)), "the driver is too old");
  EXPECT_THAT(log_, HasSubstr("the CPU runs the plan: the driver is too old"));
  EXPECT_THAT(log_, Not(HasSubstr("warning")));
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  EXPECT_EQ(InfoOf(session).backend, LINNET_BACKEND_CPU);
  EXPECT_THAT(log_, HasSubstr("warning: the CPU runs the plan: the driver is too old"));
  EXPECT_EQ(linnet_session_run(session), LINNET_OK);
}

TEST_F(BackendChoice, AGpuInSoftwareOnlyWhereItIsAskedFor) {
  OpenVariants(kMixed);
  FakeGpu().set_is_software(true);
  EXPECT_THAT(WhyNot(Create(LINNET_BACKEND_AUTO)), HasSubstr("computes on the CPU"));
  EXPECT_EQ(InfoOf(Create(LINNET_BACKEND_VULKAN)).backend, LINNET_BACKEND_VULKAN);
}

// Whatever fails while the GPU's program is prepared, the host's takes its place.
TEST_F(BackendChoice, AGpuThatFailsAtTheStart) {
  OpenVariants(kMixed);
  int failures = 0;
  for (;; ++failures) {
    FakeGpu().FailAfter(failures);
    linnet_session* session = Create(LINNET_BACKEND_VULKAN);
    if (InfoOf(session).backend == LINNET_BACKEND_VULKAN) break;
    EXPECT_THAT(WhyNot(session), HasSubstr("out of memory"));
    EXPECT_EQ(linnet_session_run(session), LINNET_OK);
  }
  EXPECT_GT(failures, 3);
}

TEST_F(BackendChoice, PreparedWeightsHaveAProgram) {
  OpenVariants(kMixed);
  linnet_weights* gpu = nullptr;
  linnet_weights* cpu = nullptr;
  linnet_session_options options = Options(LINNET_BACKEND_AUTO);
  ASSERT_EQ(linnet_weights_prepare(plan_, &options, &gpu, nullptr), LINNET_OK);
  FakeGpu().Remove("gone");
  ASSERT_EQ(linnet_weights_prepare(plan_, &options, &cpu, nullptr), LINNET_OK);
  FakeGpu().Remove(nullptr);
  options.weights = gpu;
  EXPECT_EQ(WhyNot(Create(options)), "");
  options.weights = cpu;
  EXPECT_EQ(WhyNot(Create(options)), "gone");
  for (linnet_session* session : sessions_) linnet_session_destroy(session);
  sessions_.clear();
  linnet_weights_release(gpu);
  linnet_weights_release(cpu);
}

TEST_F(BackendChoice, BlocksAreMeasuredForWhatRuns) {
  OpenVariants(kMixed);
  linnet_session_options options = Options(LINNET_BACKEND_AUTO);
  linnet_memory memory{};
  memory.struct_size = sizeof(memory);
  ASSERT_EQ(linnet_session_bytes(plan_, &options, &memory, nullptr), LINNET_OK);
  std::vector<std::byte> block(static_cast<size_t>(memory.block) + 63);
  options.block = block.data();
  options.block_bytes = block.size();
  linnet_session* session = Create(options);
  EXPECT_EQ(InfoOf(session).backend, LINNET_BACKEND_VULKAN);
  EXPECT_EQ(linnet_session_run(session), LINNET_OK);
  for (linnet_session* created : sessions_) linnet_session_destroy(created);  // before the block
  sessions_.clear();
}

TEST_F(BackendChoice, EachSignatureIsThereOnce) {
  OpenVariants(kMixed);
  EXPECT_EQ(linnet_plan_num_signatures(plan_), 1);
  EXPECT_EQ(linnet_plan_signature(plan_, 1), nullptr);
  EXPECT_EQ(linnet_plan_num_inputs(plan_, 1), 0);
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  EXPECT_EQ(linnet_session_input_info(session, 0), linnet_plan_input_info(plan_, 0, 0));
  EXPECT_EQ(linnet_session_output_info(session, 0), linnet_plan_output_info(plan_, 0, 0));
}

TEST_F(BackendChoice, TellsWhatTheDeviceTakes) {
  OpenVariants(kMixed);
  FakeGpu().set_wait_ns(700);
  const auto times_of = [](const linnet_session* session) {
    linnet_device_times times{};
    times.struct_size = sizeof(times);
    EXPECT_EQ(linnet_session_device_times(session, &times), LINNET_OK);
    return std::pair(times.submissions, times.wait_ns);
  };
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  EXPECT_EQ(times_of(session), std::pair(int64_t{2}, int64_t{0}));  // without a profile
  linnet_session_enable_profile(session, 1);
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  EXPECT_EQ(times_of(session), std::pair(int64_t{2}, int64_t{1400}));
  linnet_step_info info{};
  info.struct_size = sizeof(info);
  ASSERT_EQ(linnet_session_get_step_info(session, 1, &info), 1);
  EXPECT_STREQ(info.layout, "dense");  // the test device's
  ASSERT_EQ(linnet_session_submit(session), LINNET_OK);
  linnet_device_times times{};
  times.struct_size = sizeof(times);
  EXPECT_EQ(linnet_session_device_times(session, &times), LINNET_INVALID_ARGUMENT);
  ASSERT_EQ(linnet_session_wait(session, -1), LINNET_OK);
  FakeGpu().Lose();
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  EXPECT_EQ(times_of(session), std::pair(int64_t{0}, int64_t{0}));  // the CPU's program
}

TEST_F(BackendChoice, TellsWhoAsksProperly) {
  OpenVariants(kMixed);
  linnet_backend_info info{};
  EXPECT_EQ(linnet_session_backend(Create(LINNET_BACKEND_AUTO), &info), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_backend(sessions_[0], nullptr), LINNET_INVALID_ARGUMENT);
  info.struct_size = sizeof(info);
  EXPECT_EQ(linnet_session_backend(nullptr, &info), LINNET_INVALID_ARGUMENT);
  linnet_session_options options = Options(17);
  EXPECT_EQ(Fails(options).first, LINNET_UNSUPPORTED);
}

}  // namespace
}  // namespace linnet
