// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/self_test.h"

#include <algorithm>

#include "runtime/core/hash.h"
#include "runtime/core/noise.h"
#include "runtime/session/compare_values.h"
#include "runtime/session/exactness.h"

namespace linnet {
namespace {

// Loops of a plan that nobody has checked may have no end, and nobody can cancel this.
constexpr int64_t kMostIterations = 10'000;

// Positive numbers, so that roots and logarithms exist; nets make negative ones themselves. From
// one on there are some functions more (acosh).
constexpr struct { float low, high; } kFloats[] = {{1.0f / 64, 1}, {1, 2}};
// Indices and masks of nearly all models; then indices where there is one element only; then
// divisors.
constexpr struct { int64_t first, count; } kIntegers[] = {{0, 2}, {0, 1}, {1, 1}};

double ToleranceOf(Layout layout) {
  switch (layout) {
    case Layout::kDense:
    case Layout::kRows4:
      return 1e-3;
    case Layout::kRows4Half:
      return 2e-2;
  }
  return 0;
}

class SelfTest {
 public:
  SelfTest(Interpreter& device, Interpreter& host, Diagnostic* diagnostic)
      : device_(device), host_(host), diagnostic_(*diagnostic) {}

  Verdict Run(Region& scratch) {
    exactness_ = scratch.New<Exactness>(std::ssize(device_.program().tensors));
    if (exactness_ == nullptr) {
      diagnostic_.Format("there is not enough memory for the GPU's self-test");
      return Verdict::kNone;
    }
    FindExactness(device_.weights().program(), exactness_);
    if (!ChooseNoise()) return Verdict::kUntestable;
    uint64_t first = 0;
    for (int run = 0; run <= kReplays; ++run) {
      const Verdict verdict = RunDevice();
      if (verdict != Verdict::kPassed) return verdict;
      const uint64_t hash = HashValues();
      if (run == 0 && !Agree()) return Verdict::kFailed;
      if (run == 0) first = hash;
      if (hash != first) {
        diagnostic_.Format("the GPU failed the self-test: its results change from run to run");
        return Verdict::kFailed;
      }
    }
    return Verdict::kPassed;
  }

 private:
  // A result of both programs.
  struct Value {
    const char* name = "";
    TensorType type, host_type;
    const void* device = nullptr;
    const void* host = nullptr;
    Exactness exactness = Exactness::kExact;
  };

  // Calls `visit` with each result until it returns false. Returns what the last call returned.
  template <typename Visit>
  bool ForEach(const Visit& visit) const {
    const PlanProgram& program = device_.program();
    for (int i = 0; i < static_cast<int>(program.outputs.size()); ++i) {
      const PlanPort& port = program.outputs[i];
      // A constant is the same on both sides.
      if (program.tensors[port.tensor].storage == Storage::kWeight) continue;
      if (!visit(Value{port.name, device_.output_type(i), host_.output_type(i),
                       device_.output_data(i), host_.output_data(i), exactness_[port.tensor]}))
        return false;
    }
    for (const PlanUpdate& update : program.updates) {
      const PlanTensor& state = program.tensors[update.state];
      if (host_.state(state.index) == nullptr) continue;
      if (!visit(Value{"a variable", state.type, state.type, device_.state(state.index),
                       host_.state(state.index), exactness_[update.next]}))
        return false;
    }
    return true;
  }

  void Fill(Interpreter& program) const {
    program.Restart();
    for (int i = 0; i < static_cast<int>(program.program().inputs.size()); ++i)
      FillNoise(program.input_type(i), noise_, 0, static_cast<uint64_t>(i), program.input_data(i));
  }

  Status RunHost() {
    Fill(host_);
    return host_.Run();
  }
  bool HostIsFinite() const {
    return ForEach([](const Value& value) {
      return FindNan(value.host_type, value.host, /*infinities=*/true) < 0;
    });
  }

  // Runs the host's program on inputs that it can run on; if possible, such that all results are
  // finite. False when there are none.
  bool ChooseNoise() {
    Status status;
    for (const auto& integers : kIntegers) {
      for (const auto& floats : kFloats) {
        noise_ = {floats.low, floats.high, integers.first, integers.count};
        status = RunHost();
        if (!status.ok()) break;
        if (HostIsFinite()) return true;
      }
      if (status.ok()) {
        noise_ = {kFloats[0].low, kFloats[0].high, integers.first, integers.count};
        return RunHost().ok();
      }
      if (status.code() != StatusCode::kBadIndex) break;
    }
    diagnostic_.Format("the GPU cannot be tested, because the CPU cannot run the plan on noise: %s",
                       status.what());
    return false;
  }

  Verdict RunDevice() {
    Fill(device_);
    const Status status = device_.Run();
    if (status.ok()) return Verdict::kPassed;
    if (status.code() == StatusCode::kDeviceLost) {
      diagnostic_.Format("%s in the self-test", status.what());
      return Verdict::kLost;
    }
    diagnostic_.Format("the GPU failed the self-test: %s", status.what());
    if (status.code() == StatusCode::kNoMemory) return Verdict::kNone;
    return status.code() == StatusCode::kCancelled ? Verdict::kUntestable : Verdict::kFailed;
  }

  uint64_t HashValues() const {
    uint64_t hash = 0;
    ForEach([&](const Value& value) {
      hash = HashBytes(
          {static_cast<const std::byte*>(value.device), static_cast<size_t>(value.type.bytes())},
          hash);
      return true;
    });
    return hash;
  }

  bool Agree() {
    const double tolerance = SelfTestTolerance(device_.program());
    return ForEach([&](const Value& value) {
      if (value.exactness == Exactness::kUnstable) return IsSane(value);
      if (!(value.type == value.host_type)) {
        diagnostic_.Format("the GPU failed the self-test: '%s' has another shape than on the CPU",
                           value.name);
        return false;
      }
      const Difference difference = Compare(value.type, value.device, value.host, tolerance);
      if (difference.element < 0) return true;
      diagnostic_.Format(
          "the GPU failed the self-test: element %lld of '%s' is %g, on the CPU it is %g",
          static_cast<long long>(difference.element), value.name, difference.got, difference.want);
      return false;
    });
  }

  bool IsSane(const Value& value) {
    for (const bool infinities : {true, false}) {
      if (FindNan(value.host_type, value.host, infinities) >= 0) continue;
      const int64_t element = FindNan(value.type, value.device, infinities);
      if (element < 0) return true;
      diagnostic_.Format("the GPU failed the self-test: element %lld of '%s' is not finite",
                         static_cast<long long>(element), value.name);
      return false;
    }
    return true;
  }

  Interpreter& device_;
  Interpreter& host_;
  Diagnostic& diagnostic_;
  Exactness* exactness_ = nullptr;
  NoiseRange noise_;
};

}  // namespace

double SelfTestTolerance(const PlanProgram& program) {
  double most = 0;
  for (const PlanSpace& space : program.spaces.subspan(1))
    most = std::max(most, ToleranceOf(space.layout));
  return most;
}

Verdict RunSelfTest(Interpreter& device, Interpreter& host, Region& scratch,
                    Diagnostic* diagnostic) {
  device.LimitIterations(kMostIterations);
  host.LimitIterations(kMostIterations);
  const Verdict verdict = SelfTest(device, host, diagnostic).Run(scratch);
  device.LimitIterations(INT64_MAX);
  device.Restart();
  return verdict;
}

}  // namespace linnet
