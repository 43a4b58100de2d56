// SPDX-License-Identifier: Apache-2.0
// Kernel profiles: what is read of them, and which backend then runs a step.
#include "runtime/session/kernel_profile.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/backends/portable/backend.h"
#include "runtime/session/step_kind.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/session/opened_plan.h"

namespace linnet {
namespace {

// Runs everything as the portable backend does, by its own rules nothing, and is able to run Unary
// only.
class Willing final : public Backend {
 public:
  const char* name() const override { return "willing"; }
  const char* WhyUnsupported(const OpInstance&) const override { return "others are faster"; }
  const char* WhyUnable(const OpInstance& op) const override {
    return op.kind == OpKind::kUnary ? nullptr : "Unary only";
  }
  Status Create(const StepContext& step, PackedWeights* weights, void* packed,
                const Threads& threads, Region& region, RunnableStep** out,
                int64_t* workspace_bytes) const override {
    return portable::GetBackend().Create(step, weights, packed, threads, region, out,
                                         workspace_bytes);
  }
};

const Willing kWilling;
const Backend* const kBackends[] = {&kWilling, &portable::GetBackend()};

constexpr KernelMachine kMachine = {"Cpu 9", "avx9", "XNNPACK 1999-12", 2};
const std::string kHead =
    "linnet kernel profile 1\ncpu Cpu 9\ninstructions avx9\nkernels XNNPACK 1999-12\nthreads 2\n";
const std::string kSteps =
    "# a comment\n"
    "willing\twilling 1.5\tportable 20.0\tUnary(f32[2,3]) -> f32[2,3] {0000000000000001}\n"
    "portable\twilling 1.5\tportable 1.0\tUnary(f32[]) -> f32[] {0000000000000001}\n";

class KernelProfiles : public testing::Test {
 protected:
  Status Read(const std::string& text) {
    diagnostic_ = {};
    // In memory of its own, so that AddressSanitizer sees each access behind it.
    const std::vector<char> bytes(text.begin(), text.end());
    return KernelProfile::Read({bytes.data(), bytes.size()}, kMachine, kBackends, region_,
                               &profile_, &diagnostic_);
  }
  void ExpectDamaged(const std::string& text, const std::string& what) {
    EXPECT_EQ(Read(text).code(), StatusCode::kInvalidArgument) << text;
    EXPECT_EQ(diagnostic_.text, "the kernel profile, line " + what) << text;
    EXPECT_EQ(profile_.size(), 0);
  }

  Region region_;
  KernelProfile profile_;
  Diagnostic diagnostic_;
};

TEST_F(KernelProfiles, AreRead) {
  ASSERT_TRUE(Read(kHead + kSteps + "end 2\n").ok()) << diagnostic_.text;
  EXPECT_EQ(profile_.size(), 2);
  ASSERT_TRUE(Read(kHead + "end 0").ok()) << diagnostic_.text;
  EXPECT_EQ(profile_.size(), 0);
}

TEST_F(KernelProfiles, DamageIsNamed) {
  ExpectDamaged("", "1: it must begin as a kernel profile does");
  ExpectDamaged("{\"devices\": {}}", "1: it must begin as a kernel profile does");
  ExpectDamaged("linnet kernel profile 1\nthreads 2\n",
                "2: it must begin as a kernel profile does");
  ExpectDamaged(kHead, "6: it is cut off, or this is no step");
  ExpectDamaged(kHead + kSteps, "9: it is cut off, or this is no step");
  ExpectDamaged(kHead + kSteps + "end 3\n", "9: it must end with the number of its steps");
  ExpectDamaged(kHead + kSteps + "end 02\n", "9: it must end with the number of its steps");
  ExpectDamaged(kHead + kSteps + "end 99999999999999999999\n",
                "9: it must end with the number of its steps");
  ExpectDamaged(kHead + kSteps + "end 2\n\n", "9: it must end with the number of its steps");
  ExpectDamaged(kHead + "\nend 0\n", "6: it is cut off, or this is no step");
  ExpectDamaged(kHead + "willing\t\nend 0\n", "6: it is cut off, or this is no step");
  ExpectDamaged(kHead + "abacus\tabacus 1.0\tportable 2.0\tPad() {1}\nend 1\n",
                "6: there is no such backend");
  ExpectDamaged(kHead + kSteps + kSteps + "end 4\n", "10: the step is there twice");
}

TEST_F(KernelProfiles, CutOffAnywhereTheyAreRefused) {
  const std::string whole = kHead + kSteps + "end 2";
  for (size_t bytes = 0; bytes < whole.size(); ++bytes) {
    EXPECT_FALSE(Read(whole.substr(0, bytes)).ok()) << bytes;
    EXPECT_NE(diagnostic_.text[0], '\0') << bytes;
  }
}

TEST_F(KernelProfiles, OtherMachinesAreRefused) {
  const std::string whole = kHead + kSteps + "end 2\n";
  struct Row {
    std::string from, to, message;
  };
  for (const Row& row :
       {Row{"profile 1", "profile 2", "profile 2, and this is "},
        Row{"cpu Cpu 9", "cpu Cpu 8", "with cpu Cpu 8, and this is cpu Cpu 9"},
        Row{"avx9", "avx8", "with instructions avx8, and this is "},
        Row{"1999", "2024", "with kernels XNNPACK 2024-12, and this is "},
        Row{"threads 2", "threads 1", "threads 1, and this is threads 2"},
        Row{"threads 2", "threads ", "threads , and this is threads 2"},
        Row{"Cpu 9", std::string(999, '9'), std::string(60, '9') + ", and this"}}) {
    std::string text = whole;
    text.replace(text.find(row.from), row.from.size(), row.to);
    EXPECT_EQ(Read(text).code(), StatusCode::kUnsupported) << row.to;
    EXPECT_NE(std::string(diagnostic_.text).find(row.message), std::string::npos)
        << diagnostic_.text;
    EXPECT_EQ(profile_.size(), 0);
  }
}

// More than the table of a small profile has rows for.
TEST_F(KernelProfiles, MayBeLong) {
  std::string text = kHead;
  for (int i = 0; i < 3000; ++i) text += "portable\t\tUnary(f32[" + std::to_string(i) + "])\n";
  ASSERT_TRUE(Read(text + "end 3000\n").ok()) << diagnostic_.text;
  EXPECT_EQ(profile_.size(), 3000);
  Region small;
  small.Limit(1000);
  EXPECT_EQ(KernelProfile::Read(text, kMachine, kBackends, small, &profile_, nullptr).code(),
            StatusCode::kNoMemory);
}

TEST(StepKinds, SayWhatAStepComputes) {
  const InputInfo inputs[] = {{{DType::kFloat32, {1, 14, 14, 96}}},
                              {{DType::kFloat32, {24, 1, 1, 96}}, nullptr, true}};
  const TensorType outputs[] = {{DType::kFloat32, {1, 14, 14, 24}}};
  const OpInstance op = {OpKind::kConv2D, nullptr, inputs, outputs};
  char kind[kMaxKindBytes];
  const uint8_t some[] = {1, 2, 3}, others[] = {1, 2, 4};
  const int length = WriteStepKind(op, some, kind);
  const std::string text = kind;
  EXPECT_EQ(std::ssize(text), length);
  EXPECT_TRUE(
      text.starts_with("Conv2D(f32[1,14,14,96], const f32[24,1,1,96]) -> f32[1,14,14,24] {"))
      << text;
  EXPECT_EQ(text.size() - text.find('{'), 18u);
  WriteStepKind(op, others, kind);
  EXPECT_NE(kind, text) << "the attributes count";
}

TEST(StepKinds, AreNeverTooLong) {
  Shape large;
  for (int i = 0; i < kMaxRank; ++i) large.Append(kMaxShapeElements);
  const TensorType type = {DType::kFloat32, large};
  const std::vector<InputInfo> inputs(kMaxKindInputs + 1, {type, nullptr, true});
  const std::vector<TensorType> outputs(kMaxOpOutputs, type);
  char kind[kMaxKindBytes];
  const OpInstance op = {
      OpKind::kCombinedNonMaxSuppression, nullptr, {inputs.data(), kMaxKindInputs}, outputs};
  const int length = WriteStepKind(op, {}, kind);
  EXPECT_EQ(std::ssize(std::string(kind)), length);
  EXPECT_EQ(WriteStepKind({OpKind::kConcat, nullptr, inputs, outputs}, {}, kind), 0);
}

class ChosenBackends : public KernelProfiles {
 protected:
  // The backends of the steps, with "!" where the profile chose it. `lines` has the kind of step i
  // as "KIND<i>".
  std::string Chosen(const std::string& graph, std::string lines, int count) {
    const std::vector<std::byte> bytes = TextPlan(graph);
    OpenedPlan plain(bytes);
    EXPECT_TRUE(plain.Open(kBackends).ok()) << plain.diagnostic.text;
    const PreparedWeights& weights = plain.session.weights();
    for (size_t i = 0; i < weights.steps().size(); ++i) {
      const std::string name = "KIND" + std::to_string(i);
      const size_t at = lines.find(name);
      if (at == std::string::npos) continue;
      InputInfo inputs[kMaxKindInputs];
      TensorType outputs[kMaxOpOutputs];
      char kind[kMaxKindBytes];
      WriteStepKind(weights.Instance(static_cast<int32_t>(i), inputs, outputs),
                    plain.program().steps[i].attrs, kind);
      lines.replace(at, name.size(), kind);
    }
    EXPECT_TRUE(Read(kHead + lines + "end " + std::to_string(count) + "\n").ok())
        << diagnostic_.text;
    OpenedPlan plan(bytes);
    EXPECT_TRUE(plan.Open(kBackends, {}, &profile_).ok()) << plan.diagnostic.text;
    EXPECT_TRUE(plan.session.Run().ok());
    std::string chosen;
    for (const PreparedWeights::Step& step : plan.session.weights().steps())
      chosen += std::string(chosen.empty() ? "" : " ") + kBackends[step.backend]->name() +
                (step.is_measured ? "!" : "");
    return chosen;
  }

  void SetUp() override {
    if (kLinkedKernelProfile == nullptr) GTEST_SKIP() << "this build has one kernel for each step";
  }
};

constexpr char kGraph[] = R"(
    x = arg f32[4]
    a = Unary(x) {kind: Exp}
    b = Binary(a, x) {kind: Add}
    c = Unary(b) {kind: Neg}
    out = ret(c))";

TEST_F(ChosenBackends, AreThoseOfTheProfile) {
  EXPECT_EQ(Chosen(kGraph, "", 0), "portable portable portable");
  EXPECT_EQ(Chosen(kGraph, "willing\t\tKIND0\n", 1), "willing! portable portable");
  EXPECT_EQ(Chosen(kGraph, "willing\t\tKIND0\nportable\t\tKIND2\n", 2),
            "willing! portable portable!");
}

// By the rules, although the profile says otherwise.
TEST_F(ChosenBackends, CanRunTheStep) {
  EXPECT_EQ(Chosen(kGraph, "willing\t\tKIND1\n", 1), "portable portable portable");
}

// A backend that cannot resize is no choice for a step whose extents vary.
TEST_F(ChosenBackends, CanResizeWhatVaries) {
  const std::vector<std::byte> bytes =
      TextPlan("x = arg f32[4] y = Unary(x) {kind: Exp} out = ret(y)");
  OpenedPlan plan(bytes);
  ASSERT_TRUE(plan.Open(kBackends).ok());
  const PreparedWeights& weights = plan.session.weights();
  InputInfo inputs[kMaxKindInputs];
  TensorType outputs[kMaxOpOutputs];
  const OpInstance op = weights.Instance(0, inputs, outputs);
  EXPECT_TRUE(weights.HasChoice(0, op));
  const_cast<VerifiedStep&>(weights.program().steps[0]).varies = true;
  EXPECT_FALSE(weights.HasChoice(0, op));
}

}  // namespace
}  // namespace linnet
