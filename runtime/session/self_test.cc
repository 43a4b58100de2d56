// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/self_test.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/hash.h"
#include "runtime/core/noise.h"
#include "runtime/session/compare_values.h"
#include "runtime/session/exactness.h"

namespace linnet {
namespace {

// Loops of a plan that nobody has checked may have no end, and nobody can cancel this.
constexpr int64_t kMostIterations = 10'000;

// How often the host's program runs on changed inputs, where the device differs in what rounding
// decides. Four times, because one change may happen to decide nothing.
constexpr int kDisturbedRuns = 4;

// Positive numbers, so that roots and logarithms exist; nets make negative ones themselves. From
// one on there are some functions more (acosh).
constexpr struct { float low, high; } kFloats[] = {{1.0f / 64, 1}, {1, 2}};
// What pixels are, where a model wants floats that are not scaled.
constexpr struct { float low, high; } kPixels = {0, 255};
// Up to so many times the tolerance, a difference may come from noise that a net was not made for:
// its layers magnify what rounding does to numbers that are nearly equal.
constexpr double kNearly = 5;
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
    if (exactness_ == nullptr) return OutOfMemory();
    FindExactness(device_.weights().program(), exactness_);
    if (!ChooseNoise()) return Verdict::kUntestable;
    const Verdict verdict = RunOnNoise(scratch);
    if (verdict != Verdict::kFailed || !nearly_ || !ChoosePixels()) return verdict;
    diagnostic_ = {};
    return RunOnNoise(scratch);
  }

 private:
  Verdict RunOnNoise(Region& scratch) {
    uint64_t first = 0;
    nearly_ = false;
    for (int run = 0; run <= kReplays; ++run) {
      const Verdict verdict = RunDevice();
      if (verdict != Verdict::kPassed) return verdict;
      const uint64_t hash = HashValues();
      if (run == 0) {
        first = hash;
        if (!Agree()) return Verdict::kFailed;
        const Verdict unstable = JudgeUnstable(scratch);
        if (unstable != Verdict::kPassed) return unstable;
      }
      if (hash != first) {
        diagnostic_.Format("the GPU failed the self-test: its results change from run to run");
        return Verdict::kFailed;
      }
    }
    return Verdict::kPassed;
  }

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

  // After ChooseNoise. False when there are no floats that could be pixels, or the host's results
  // are not finite then.
  bool ChoosePixels() {
    bool any = false;
    for (int i = 0; i < static_cast<int>(host_.program().inputs.size()); ++i)
      any |= IsFloat(host_.input_type(i).dtype);
    if (!any) return false;
    noise_.low = kPixels.low;
    noise_.high = kPixels.high;
    return RunHost().ok() && HostIsFinite();
  }

  Verdict RunDevice() {
    Fill(device_);
    const Status status = device_.Run();
    if (status.ok()) return Verdict::kPassed;
    if (status.code() == StatusCode::kDeviceLost) {
      diagnostic_.Format("%s in the self-test", status.what());
      return Verdict::kLost;
    }
    if (status.code() == StatusCode::kBadIndex && RoundingMovesIndices()) {
      diagnostic_.Format(
          "the GPU cannot be tested, because rounding decides whether indices are in range: %s",
          status.what());
      return Verdict::kUntestable;
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

  // Sets nearly_ where all differ by little only.
  bool Agree() {
    bool agree = true;
    nearly_ = true;
    ForEach([&](const Value& value) {
      agree &= AgreesIn(value);
      return nearly_;
    });
    nearly_ &= !agree;
    return agree;
  }

  bool AgreesIn(const Value& value) {
    if (value.exactness == Exactness::kUnstable) {
      const bool sane = IsSane(value);
      nearly_ &= sane;
      return sane;
    }
    if (!(value.type == value.host_type)) {
      nearly_ = false;
      diagnostic_.Format("the GPU failed the self-test: '%s' has another shape than on the CPU",
                         value.name);
      return false;
    }
    const Difference difference = Compare(value.type, value.device, value.host, tolerance_);
    if (difference.count == 0) return true;
    nearly_ &= IsFloat(value.type.dtype) && difference.largest <= kNearly * tolerance_;
    diagnostic_.Format(
        "the GPU failed the self-test: element %lld of '%s' is %g, on the CPU it is %g",
        static_cast<long long>(difference.element), value.name, difference.got, difference.want);
    return false;
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

  // In how many elements values differ; in all, if their shapes do.
  int64_t NumDifferent(const TensorType& a_type, const void* a, const TensorType& b_type,
                       const void* b) const {
    if (a_type == b_type) return Compare(a_type, a, b, tolerance_).count;
    return std::max(a_type.shape.num_elements(), b_type.shape.num_elements());
  }

  // What the host makes of an unstable value, and how far others are from that.
  struct Suspect {
    TensorType type;
    void* host = nullptr;
    int64_t device_differs = 0, host_differs = 0;  // elements
  };

  // Runs the host's program on inputs that are a little different. False when all inputs are of
  // kinds that cannot be.
  bool RunDisturbed(uint64_t seed, Status* status) {
    Fill(host_);
    bool any = false;
    for (int i = 0; i < static_cast<int>(host_.program().inputs.size()); ++i)
      any |= Disturb(host_.input_type(i), static_cast<float>(tolerance_), seed,
                     static_cast<uint64_t>(i), host_.input_data(i));
    *status = any ? host_.Run() : Status();
    return any;
  }

  // Whether an index that is in range on the host's inputs may be out of range on a device that
  // rounds in another way. The host's results are gone afterwards.
  bool RoundingMovesIndices() {
    Status status;
    for (int run = 1; run <= kDisturbedRuns; ++run)
      if (RunDisturbed(static_cast<uint64_t>(run), &status) &&
          status.code() == StatusCode::kBadIndex)
        return true;
    return false;
  }

  // Whether values that rounding decides differ by no more than that explains. The host's results
  // are gone afterwards.
  Verdict JudgeUnstable(Region& scratch) {
    bool any = false;
    if (!FindSuspects(scratch, &any)) return OutOfMemory();
    for (int run = 1; any && run <= kDisturbedRuns; ++run) {
      Status status;
      // Indices or numbers of rows that are out of bounds show how unstable all is.
      if (!RunDisturbed(static_cast<uint64_t>(run), &status) || !status.ok())
        return Verdict::kPassed;
      Suspect* suspect = suspects_;
      ForEach([&](const Value& value) {
        Suspect& one = *suspect++;
        if (one.host != nullptr)
          one.host_differs = std::max(
              one.host_differs, NumDifferent(value.host_type, value.host, one.type, one.host));
        return true;
      });
    }
    const Suspect* suspect = suspects_;
    const bool explained = ForEach([&](const Value& value) {
      const Suspect& one = *suspect++;
      if (one.device_differs <= 2 * one.host_differs) return true;
      diagnostic_.Format(
          "the GPU failed the self-test: %lld elements of '%s' differ from the CPU's, and rounding "
          "explains %lld",
          static_cast<long long>(one.device_differs), value.name,
          2 * static_cast<long long>(one.host_differs));
      return false;
    });
    return explained ? Verdict::kPassed : Verdict::kFailed;
  }

  // Makes suspects_, one for each value, and keeps what the host made of those that are unstable
  // and in which the device differs, if there are `any`. False when there is no memory for it.
  bool FindSuspects(Region& scratch, bool* any) {
    int64_t count = 0;
    ForEach([&](const Value&) { return ++count > 0; });
    suspects_ = scratch.New<Suspect>(count);
    if (suspects_ == nullptr) return false;
    Suspect* suspect = suspects_;
    return ForEach([&](const Value& value) {
      Suspect& one = *suspect++;
      if (value.exactness != Exactness::kUnstable) return true;
      one.type = value.host_type;
      one.device_differs = NumDifferent(value.type, value.device, value.host_type, value.host);
      if (one.device_differs == 0) return true;
      *any = true;
      one.host = scratch.Allocate(one.type.bytes());
      if (one.host == nullptr) return false;
      std::memcpy(one.host, value.host, static_cast<size_t>(one.type.bytes()));
      return true;
    });
  }

  Verdict OutOfMemory() {
    diagnostic_.Format("there is not enough memory for the GPU's self-test");
    return Verdict::kNone;
  }

  Interpreter& device_;
  Interpreter& host_;
  Diagnostic& diagnostic_;
  const double tolerance_ = SelfTestTolerance(device_.program());
  Exactness* exactness_ = nullptr;
  Suspect* suspects_ = nullptr;
  NoiseRange noise_;
  bool nearly_ = false;  // the results of the last first run differed, but not by much
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
