// SPDX-License-Identifier: Apache-2.0
#ifdef LINNET_HAS_XNNPACK
#include <pthreadpool.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#include "runtime/backends/xnnpack/backend.h"
#include "runtime/backends/xnnpack/edge_probe.h"
#include "runtime/backends/xnnpack/operator_step.h"
#include "runtime/backends/xnnpack/support.h"
#include "runtime/session/thread_pool.h"
#include "tests/conformance/case_runner.h"

namespace linnet::conformance {
namespace {

// XNNPACK's instructions for clamping and comparing return the other operand when one is NaN, so an
// op that compares or clamps, even to +-infinity, may lose NaN. Where TensorFlow has NaN, any value
// is accepted from these ops (README.md of the backend).
bool MayLoseNan(OpKind kind) {
  switch (kind) {
    case OpKind::kBatchMatMul:
    case OpKind::kBinary:
    case OpKind::kClamp:
    case OpKind::kConv2D:
    case OpKind::kDepthwiseConv2D:
    case OpKind::kTransposeConv2D:
    case OpKind::kFullyConnected:
    case OpKind::kPool2D:
    case OpKind::kSoftmax:
      return true;
    default:
      return false;
  }
}

// Cases in which XNNPACK rounds more than the other kernels.
struct Looser {
  OpKind kind;
  const char* test;
  double tolerance;
  const char* reason;
};
constexpr Looser kLooser[] = {
    {OpKind::kReduce, "many_rows", 1e-5, "plain summation in f32, row after row"},
    {OpKind::kResize, "bilinear_halfpixel_wide", 1e-5, "positions are rounded in another order"},
};

Margin LooserMarginOf(const OpCase& test) {
  for (const Looser& row : kLooser)
    if (row.kind == test.kind && test.name == row.test) return {.of_largest = row.tolerance};
  return MarginOf(test);
}

// "", or how `got` differs from the outputs of `test`.
std::string Compare(const OpCase& test, const uint8_t* got) {
  CaseTensor expected = test.outputs[0];
  if (MayLoseNan(test.kind)) {
    for (size_t at = 0; at + sizeof(float) <= expected.bytes.size(); at += sizeof(float)) {
      float value;
      std::memcpy(&value, &expected.bytes[at], sizeof(value));
      if (std::isnan(value)) std::memcpy(&expected.bytes[at], got + at, sizeof(value));
    }
  }
  return Difference(expected, got, LooserMarginOf(test));
}

// Memory at a multiple of 64, followed by as many readable bytes as the arena guarantees.
class Buffer {
 public:
  explicit Buffer(int64_t bytes)
      : bytes_(bytes), data_(static_cast<uint8_t*>(::operator new(bytes + kSlack, kAlignment))) {
    std::memset(data_, kFill, bytes + kSlack);
  }
  explicit Buffer(const std::vector<uint8_t>& bytes) : Buffer(static_cast<int64_t>(bytes.size())) {
    if (!bytes.empty()) std::memcpy(data_, bytes.data(), bytes.size());
  }
  ~Buffer() { ::operator delete(data_, kAlignment); }
  Buffer(Buffer&& other) : bytes_(other.bytes_), data_(other.data_) { other.data_ = nullptr; }
  uint8_t* data() const { return data_; }
  void Spoil() const { std::memset(data_, kFill, bytes_); }
  // Was nothing written behind the tensor?
  bool SlackIntact() const {
    return std::all_of(data_ + bytes_, data_ + bytes_ + kSlack,
                       [](uint8_t b) { return b == kFill; });
  }

 private:
  static constexpr std::align_val_t kAlignment{64};
  static constexpr int64_t kSlack = 128;
  static constexpr uint8_t kFill = 0xff;  // NaN
  int64_t bytes_;
  uint8_t* data_;
};

// A thread pool that a caller lends.
class Pool {
 public:
  explicit Pool(int threads) {
    if (threads > 1) lent_ = pthreadpool_create(static_cast<size_t>(threads));
    if (!pool_.Lend(lent_).ok()) std::abort();
  }
  ~Pool() {
    if (lent_ != nullptr) pthreadpool_destroy(lent_);
  }
  Threads threads() const { return pool_.threads(); }

 private:
  pthreadpool_t lent_ = nullptr;
  ThreadPool pool_;
};

struct SessionResult {
  std::string error;
  std::vector<uint8_t> output;
  int64_t peak = 0;
};

// A plan with one step: packs once, then runs in any number of sessions.
class OneStep {
 public:
  OneStep(const OpCase& test, const OpInstance& op) : test_(test) {
    for (int i = 0; i < op.num_inputs(); ++i) {
      constants_.emplace_back(test.inputs[i].bytes);
      inputs_.push_back({op.input(i), op.inputs[i].is_constant ? constants_[i].data() : nullptr});
    }
    step_ = {.index = 7, .op = op};
    step_.op.inputs = inputs_;
  }

  std::string Pack() {
    Status status = backend_.NewPackedWeights(0, prepared_, &weights_);
    if (status.ok()) status = backend_.Pack(step_, weights_, prepared_, &packed_);
    if (status.ok() && weights_ != nullptr) status = weights_->Finalize();
    if (!status.ok()) return std::string("Pack: ") + status.what();
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (backend_.PacksInput(step_.op, static_cast<int>(i))) constants_[i].Spoil();
    }
    return "";
  }

  // `memory` null: the region takes memory from malloc. `in_place`: the input that the output
  // overwrites, or -1.
  SessionResult Run(int num_threads, const Buffer* memory, int64_t memory_bytes, int in_place) {
    SessionResult result;
    const Pool pool(num_threads);
    Region region = memory == nullptr ? Region() : Region(memory->data(), memory_bytes);
    RunnableStep* runnable = nullptr;
    int64_t workspace_bytes = 0;
    Status status;
    {
      // Pointers to shapes and types are valid during the call only.
      std::vector<InputInfo> inputs = inputs_;
      std::vector<TensorType> outputs(step_.op.outputs.begin(), step_.op.outputs.end());
      StepContext step = step_;
      step.op.inputs = inputs;
      step.op.outputs = outputs;
      status = backend_.Create(step, weights_, packed_, pool.threads(), region, &runnable,
                               &workspace_bytes);
      std::fill(inputs.begin(), inputs.end(), InputInfo());
      std::fill(outputs.begin(), outputs.end(), TensorType());
    }
    if (!status.ok()) {
      result.error = std::string("Create: ") + status.what();
      return result;
    }
    RunTwice(runnable, region, workspace_bytes, in_place, &result);
    return result;
  }

  // Splits the step into as many parts as possible, however small, and runs them on its own
  // threads. Call it before Pack.
  SessionResult RunInParts(int parts, const Threads& threads, int in_place) {
    SessionResult result;
    Region region;
    RunnableStep* runnable = nullptr;
    int64_t workspace_bytes = 0;
    const Status status =
        xnnpack::OperatorStep::Create(*xnnpack::FindLowering(step_.op.kind), step_.op, nullptr,
                                      threads, parts, region, &runnable, &workspace_bytes);
    if (!status.ok())
      result.error = std::string("Create: ") + status.what();
    else
      RunTwice(runnable, region, workspace_bytes, in_place, &result);
    return result;
  }

 private:
  void RunTwice(RunnableStep* runnable, const Region& region, int64_t workspace_bytes, int in_place,
                SessionResult* out) {
    SessionResult& result = *out;
    const int64_t created = region.peak();
    const Buffer workspace(workspace_bytes);
    result.error = RunOnce(runnable, workspace, in_place, &result.output);
    std::vector<uint8_t> again;
    // A second run at other addresses must take no new memory and give the same bits.
    if (result.error.empty()) result.error = RunOnce(runnable, workspace, in_place, &again);
    if (result.error.empty() && again != result.output) result.error = "second run differs";
    result.peak = region.peak();
    if (result.error.empty() && result.peak != created) result.error = "Setup takes memory";
    runnable->Destroy();
  }

  std::string RunOnce(RunnableStep* runnable, const Buffer& workspace, int in_place,
                      std::vector<uint8_t>* bytes) {
    std::vector<Buffer> buffers;
    std::vector<void*> inputs;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      buffers.emplace_back(test_.inputs[i].bytes);
      const bool packed = backend_.PacksInput(step_.op, static_cast<int>(i));
      const void* constant = packed ? nullptr : inputs_[i].value;
      inputs.push_back(inputs_[i].is_constant ? const_cast<void*>(constant)
                                              : buffers.back().data());
    }
    const Buffer output(step_.op.output(0).bytes());
    void* outputs[1] = {in_place < 0 ? output.data() : inputs[in_place]};
    Status status = runnable->Setup({inputs, outputs, workspace.data()});
    if (status.ok()) status = runnable->Run();
    if (!status.ok()) return std::string("Run: ") + status.what();
    const auto* data = static_cast<const uint8_t*>(outputs[0]);
    bytes->assign(data, data + step_.op.output(0).bytes());
    const auto is_intact = [](const Buffer& buffer) { return buffer.SlackIntact(); };
    if (!output.SlackIntact() || !workspace.SlackIntact() ||
        !std::ranges::all_of(buffers, is_intact))
      return "writes behind a tensor";
    return Compare(test_, data);
  }

  const Backend& backend_ = xnnpack::GetBackend();
  const OpCase& test_;
  std::vector<Buffer> constants_;
  std::vector<InputInfo> inputs_;
  StepContext step_;
  Region prepared_;
  PackedWeights* weights_ = nullptr;
  void* packed_ = nullptr;
};

// Inputs that the output may overwrite; -1: the output has its own memory.
std::vector<int> Places(const OpInstance& op) {
  std::vector<int> places = {-1};
  const uint32_t traits = FindOp(op.kind)->traits;
  const auto may = [&](int i) {
    return i < op.num_inputs() && !op.inputs[i].is_constant &&
           op.input(i).bytes() == op.output(0).bytes();
  };
  if ((traits & kMayRunInPlace) && may(0)) places.push_back(0);
  if ((traits & kInPlaceSecond) && may(1)) places.push_back(1);
  return places;
}

class Xnnpack : public CaseRunner {
 public:
  const char* name() const override { return "xnnpack"; }
  const char* WhyUnsupported(const OpInstance& op) const override {
    // All cases that XNNPACK can run, also where our kernels are faster.
    if (const char* reason = xnnpack::WhyUnable(op, xnnpack::DeviceFeatures())) return reason;
    if (!xnnpack::GetBackend().Initialize().ok()) return nullptr;  // Run says why
    return xnnpack::IsWrongAtEdges(op) ? "wrong at the edges" : nullptr;
  }

  std::string Run(const OpCase& test, const OpInstance& op) const override {
    if (test.error != StatusCode::kOk) return "runs although it should fail";
    const Status started = xnnpack::GetBackend().Initialize();
    if (!started.ok()) return started.what();
    OneStep step(test, op);
    std::string error = step.Pack();
    if (!error.empty()) return error;
    std::vector<uint8_t> first;
    for (int place : Places(op)) {
      for (int threads : {1, 2}) {
        const std::string what =
            std::to_string(threads) + " threads, output over input " + std::to_string(place) + ": ";
        const SessionResult dry = step.Run(threads, nullptr, 0, place);
        if (!dry.error.empty()) return what + dry.error;
        if (xnnpack::AllocatesThroughUs() && dry.peak == 0) return what + "no memory was counted";
        const Buffer memory(dry.peak);
        const SessionResult result = step.Run(threads, &memory, dry.peak, place);
        if (!result.error.empty()) return what + "in a block: " + result.error;
        if (!memory.SlackIntact()) return what + "writes behind the block";
        if (result.peak != dry.peak) return what + "needs other memory the second time";
        if (first.empty()) first = dry.output;
        if (dry.output != first || result.output != first) return what + "bits differ";
      }
    }
    return RunInParts(test, op, first);
  }

  static std::string RunInParts(const OpCase& test, const OpInstance& op,
                                const std::vector<uint8_t>& whole) {
    static ThreadPool team;
    if (team.threads().parallel.threads == 1 && !team.Open(3).ok()) return "no threads";
    OneStep step(test, op);
    for (int place : Places(op)) {
      for (int parts : {2, 3, 5, 8}) {
        const std::string what =
            std::to_string(parts) + " parts, output over input " + std::to_string(place) + ": ";
        const SessionResult result = step.RunInParts(parts, team.threads(), place);
        if (!result.error.empty()) return what + result.error;
        if (result.output != whole) return what + "bits differ";
      }
    }
    return "";
  }
};

}  // namespace

const CaseRunner& XnnpackRunner() {
  static const Xnnpack runner;
  return runner;
}

}  // namespace linnet::conformance
#endif  // LINNET_HAS_XNNPACK
