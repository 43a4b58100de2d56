// SPDX-License-Identifier: Apache-2.0
// The sources that `linnet embed` writes. tests/models/embedded compiles and runs such sources.
#include <gmock/gmock.h>

#include <optional>

#include "converter/embed/linked_source.h"
#include "converter/embed/plan_sources.h"
#include "converter/embed/plan_use.h"
#include "runtime/verify/verify_plan.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/placed_bytes.h"
#include "tests/runtime/session/placed_plan.h"

namespace linnet::converter {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const PlanView& View(const PlacedBytes& bytes, Region* region, VerifiedPlan* plan) {
  Diagnostic diagnostic;
  const Status status = VerifyPlan({bytes.data(), bytes.size()}, *region, plan, &diagnostic);
  EXPECT_TRUE(status.ok()) << diagnostic.text;
  return plan->view;
}

TEST(PlanSymbol, IsAnIdentifier) {
  EXPECT_EQ(PlanSymbol("models/movenet-lightning.linnet"), "movenet_lightning");
  EXPECT_EQ(PlanSymbol("Face (2).linnet"), "face_2");
  EXPECT_EQ(PlanSymbol("3d.linnet"), "plan_3d");
  EXPECT_EQ(PlanSymbol("-.linnet"), "plan_");
  EXPECT_EQ(PlanSymbol("a*/b"), "b");
}

class Embed : public testing::Test {
 protected:
  void Open(const std::vector<std::byte>& plan) {
    bytes_.emplace(plan);
    AddUse("two.linnet", View(*bytes_, &region_, &plan_), &use_);
  }
  std::string Linked(const std::set<std::string>& wanted) const {
    return LinkedSource(use_, BackendsToLink(use_, wanted), {1, 2, 3});
  }

  std::optional<PlacedBytes> bytes_;
  Region region_;
  VerifiedPlan plan_;
  PlanUse use_;
};

constexpr char kOnHost[] = R"(
    x = arg f32[2,3] a = Softmax(x) b = ArgReduce(a) {axis: 1, dtype: 3} out = ret(a) index = ret(b))";
constexpr char kOnBoth[] = R"(
    x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(a) c = Unary(b) {kind: Neg} out = ret(c))";

TEST_F(Embed, LinksTheOpsOfThePlanAndNoOthers) {
  Open(TextPlan(kOnHost));
  EXPECT_THAT(use_.ops, ElementsAre(OpKind::kArgReduce, OpKind::kSoftmax));
  const std::string text = Linked({"xnnpack"});
  for (const char* part :
       {"&kSoftmaxOp", "&kArgReduceOp", "&kSoftmaxKernel", "&kArgReduceKernel", "&kSoftmaxLowering",
        "&xnnpack::GetBackend,\n    &portable::GetBackend", "kNumLinkedBackends = 2",
        "kNumLinkedOps = 16;", "kLinkedFor[] = \"two.linnet\"", "LINNET_VERSION_MINOR != 2"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_EQ(static_cast<int>(OpKind::kSoftmax) + 1, 16);
  // XNNPACK has no ArgReduce.
  for (const char* part : {"Conv2D", "kArgReduceLowering", "vulkan"})
    EXPECT_THAT(text, Not(HasSubstr(part)));
}

TEST_F(Embed, LinksTheBackendsThatAreWantedAndCanRunSomething) {
  Open(TextPlan(kOnHost));
  EXPECT_THAT(BackendsToLink(use_, {"vulkan", "xnnpack"}), ElementsAre("xnnpack", "portable"));
  EXPECT_THAT(BackendsToLink(use_, {}), ElementsAre("portable"));
  EXPECT_THAT(Linked({}), Not(HasSubstr("xnnpack")));
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedGpuSessions = nullptr;"));
  EXPECT_THAT(Linked({"xnnpack"}), HasSubstr("kLinkedKernelProfile = nullptr;"));
}

TEST_F(Embed, LinksOnlyPartsThatThePlanNeeds) {
  Open(TextPlan(kOnHost));
  for (const char* part :
       {"kLinkedThreads = true;", "kLinkedControls = false;", "kLinkedExtents = false;",
        "kLinkedDevices = false;", "kLinkedPacking = true;", "kLinkedPlain = false;"})
    EXPECT_THAT(Linked({"vulkan"}), HasSubstr(part));
  use_.threads = false;
  use_.packing = false;
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedThreads = false;"));
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedPacking = false;"));
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedPlain = true;"));
}

TEST_F(Embed, LinksPanelsForPlansThatHaveThem) {
  Open(TextPlan(kOnHost));
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedPanels = false;"));
  Open(TextPlan("x = arg f32[3,64] y = FullyConnected(x, const f32[32,64] seed=1) {} r = ret(y)"));
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedPanels = true;"));
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedEncodedPanels = false;"));
  Open(TextPlan(R"(
    x = arg f32[9,64] y = FullyConnected(x, const f32[32,64] encoding=Float16 seed=1) {} r = ret(y))"));
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedEncodedPanels = false;"));
  Open(TextPlan(R"(
    x = arg f32[3,64] y = FullyConnected(x, const f32[32,64] encoding=Float16 seed=1) {} r = ret(y))"));
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedEncodedPanels = true;"));
  use_.packing = false;  // the plain backend decodes them first
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedEncodedPanels = false;"));
}

TEST_F(Embed, LinksStripsForPlansThatRunThem) {
  Open(TextPlan(kOnHost));
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedStrips = false;"));
  Open(TextPlan(R"(
    x = arg f32[1,64,64,4] a = Conv2D(x, const f32[64,1,1,4] seed=1)
    b = Conv2D(a, const f32[4,1,1,64] seed=2) out = ret(b))",
                WeightOrder::kPanels, {.strips = StripUse::kMemory}));
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedStrips = true;"));
}

TEST_F(Embed, LinksWinogradForPlansThatUseIt) {
  Open(TextPlan(R"(
    x = arg f32[1,4,4,2] a = Conv2D(x, const f32[3,3,3,2] seed=1) out = ret(a))"));
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedWinograd = nullptr;"));
  Open(TextPlan(R"(
    x = arg f32[1,4,4,2] a = Conv2D(x, const f32[3,3,3,2] seed=1) {winograd: 2} out = ret(a))"));
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedWinograd = &kWinogradFunctions;"));
  use_.packing = false;
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedWinograd = nullptr;"));
}

TEST_F(Embed, LinksVulkanForPlansThatUseIt) {
  Open(PlacedPlan(kOnBoth));
  EXPECT_THAT(BackendsToLink(use_, {"vulkan"}), ElementsAre("vulkan", "portable"));
  EXPECT_THAT(Linked({"vulkan"}), HasSubstr("extern const OpLowering kUnaryLowering;"));
  for (const char* part : {"kLinkedGpuSessions = &kGpuSessions;", "kLinkedDevices = true;",
                           "kLinkedControls = true;"})  // it copies to the GPU
    EXPECT_THAT(Linked({"vulkan"}), HasSubstr(part));
  // Without the backend, the plan's programs for it are not read.
  EXPECT_THAT(Linked({}), HasSubstr("kLinkedDevices = false;"));
}

TEST_F(Embed, NamesOfFilesAreOnlyText) {
  Open(TextPlan(kOnHost));
  use_.plans = {"a\".linnet", "b\n.linnet"};
  EXPECT_THAT(Linked({}), HasSubstr(R"("a\042.linnet, b\012.linnet")"));
  const std::string source = PlanSource("odd", "/tmp/a\"b\n.linnet");
  // First quoted for the assembler, then for C++.
  EXPECT_THAT(source, HasSubstr(R"(.incbin \042/tmp/a\134042b\134012.linnet\042\012)"));
}

TEST_F(Embed, HeaderHasTheSizes) {
  Open(TextPlan(kOnHost));
  const std::string text =
      PlanHeader("two", "/x/two.linnet", 4096, plan_.view, {1000, 64, 2000, 128, "these kernels"});
  for (const char* part :
       {"#define TWO_PLAN_BYTES 4096", "two_plan[TWO_PLAN_BYTES];",
        "#define TWO_SESSION_BYTES 1000", "#define TWO_OPENED_BYTES 2000",
        "#define TWO_TEMPORARY_BYTES 128", "two_temporary_block[TWO_TEMPORARY_BYTES]",
        "#define TWO_WEIGHTS_BYTES 64\n", "typedef float two_input_0[6];",
        "#define TWO_INPUT_0_BYTES 24", "typedef int32_t two_output_1[2];", "#define TWO_INPUTS 1",
        "#define TWO_OUTPUTS 2", "these kernels"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(text, HasSubstr("#define TWO_ARENA_BYTES " +
                              std::to_string(plan_.view.programs[0].arena().bytes)));
}

}  // namespace
}  // namespace linnet::converter
