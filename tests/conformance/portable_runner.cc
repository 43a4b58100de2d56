// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstring>
#include <new>

#include "runtime/backends/portable/portable_op.h"
#include "tests/conformance/case_runner.h"
#include "tests/conformance/fed_constants.h"
#include "tests/conformance/test_threads.h"

namespace linnet::conformance {
namespace {

using portable::FindPortableOp;
using portable::KernelContext;
using portable::PortableOp;

// One way to run a case: number of threads, alignment, and whether output 0 overwrites an input.
// Whether weights are packed is PortableRun's.
struct Variant {
  const char* name = "";
  int threads = 1;
  bool unaligned = false;
  int in_place_input = -1;
  int64_t questions = -1;  // how many questions whether to stop are answered no; -1: all
};

// Answers "stop" after so many questions, from any thread.
struct Stopper {
  std::atomic<int64_t> asked = 0;
  int64_t questions;

  static bool Ask(void* raw) {
    auto& stopper = *static_cast<Stopper*>(raw);
    return stopper.asked++ >= stopper.questions;
  }
};

// A buffer of exactly `bytes` bytes at a multiple of 64.
class AlignedBuffer {
 public:
  explicit AlignedBuffer(int64_t bytes)
      : data_(bytes == 0 ? nullptr : ::operator new(bytes, kAlignment)) {}
  ~AlignedBuffer() { ::operator delete(data_, kAlignment); }
  AlignedBuffer(const AlignedBuffer&) = delete;
  AlignedBuffer& operator=(const AlignedBuffer&) = delete;
  void* data() const { return data_; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  void* data_;
};

struct Outcome {
  Status status;
  int64_t asked = 0;
  std::vector<std::vector<uint8_t>> outputs;
};

class PortableRun {
 public:
  PortableRun(const OpCase& test, const OpInstance& op, const PortableOp& kernel, bool packs)
      : test_(test), op_(op), kernel_(kernel), packs_(packs), prepared_(PreparedBytes()) {
    if (PreparedBytes() > 0) kernel_.prepare(op_, prepared_.data());
  }

  Outcome Run(const Variant& variant) const {
    std::vector<ExactBuffer> buffers;
    std::vector<TensorView> inputs, outputs;
    for (int i = 0; i < op_.num_inputs(); ++i) {
      const CaseTensor& tensor = test_.inputs[i];
      buffers.emplace_back(tensor.bytes.size(), Shift(variant, tensor.type.dtype));
      if (!tensor.bytes.empty())
        std::memcpy(buffers.back().data(), tensor.bytes.data(), tensor.bytes.size());
      const bool packed =
          PreparedBytes() > 0 && kernel_.packs_input != nullptr && kernel_.packs_input(op_, i);
      inputs.push_back({tensor.type, packed ? nullptr : buffers.back().data()});
    }
    for (size_t i = 0; i < op_.outputs.size(); ++i) {
      const TensorType& type = op_.outputs[i];
      buffers.emplace_back(type.bytes(), Shift(variant, type.dtype));
      // Bytes that the kernel does not write stay visible.
      std::memset(buffers.back().data(), 0xa5, type.bytes());
      const bool in_place = i == 0 && variant.in_place_input >= 0;
      outputs.push_back(
          {type, in_place ? inputs[variant.in_place_input].data : buffers.back().data()});
    }
    return Execute(variant, inputs, outputs);
  }

 private:
  static size_t Shift(const Variant& variant, DType dtype) {
    return variant.unaligned ? DTypeBytes(dtype) : 0;
  }
  // As the backend, which makes tables also where it packs no weights.
  int64_t PreparedBytes() const {
    if (!packs_ && kernel_.packs_input != nullptr) return 0;
    return kernel_.prepared_bytes == nullptr ? 0 : kernel_.prepared_bytes(op_);
  }
  int64_t ScratchBytes(int threads) const {
    if (!packs_ && kernel_.plain_scratch_bytes != nullptr)
      return kernel_.plain_scratch_bytes(op_, threads);
    return kernel_.scratch_bytes == nullptr ? 0 : kernel_.scratch_bytes(op_, threads);
  }

  Outcome Execute(const Variant& variant, const std::vector<TensorView>& inputs,
                  const std::vector<TensorView>& outputs) const {
    int threads = variant.threads;
    const AlignedBuffer scratch(ScratchBytes(threads));
    KernelContext context;
    context.attrs = op_.attrs;
    context.inputs = inputs;
    context.outputs = outputs;
    context.prepared = prepared_.data();
    context.scratch = scratch.data();
    context.packs = packs_;
    context.parallel = TestThreads(&threads);
    Stopper stopper{.questions = variant.questions};
    if (variant.questions >= 0) {
      context.parallel.stop = Stopper::Ask;
      context.parallel.stop_context = &stopper;
    }
    Outcome outcome;
    outcome.status = RunKernel(kernel_, context);
    outcome.asked = stopper.asked;
    for (const TensorView& output : outputs) {
      const auto* data = static_cast<const uint8_t*>(output.data);
      outcome.outputs.emplace_back(data, data + output.type.bytes());
    }
    return outcome;
  }

  const OpCase& test_;
  const OpInstance& op_;
  const PortableOp& kernel_;
  const bool packs_;
  AlignedBuffer prepared_;
};

std::string Check(const OpCase& test, const Outcome& outcome) {
  if (outcome.status.code() != test.error)
    return std::string("status ") + std::to_string(static_cast<int>(outcome.status.code())) + " (" +
           outcome.status.what() + "), want " + std::to_string(static_cast<int>(test.error));
  for (size_t i = 0; i < test.outputs.size(); ++i) {
    std::string difference = Difference(test.outputs[i], outcome.outputs[i].data(), MarginOf(test));
    if (!difference.empty()) return "output " + std::to_string(i) + ": " + difference;
  }
  return "";
}

std::vector<Variant> Variants(const OpInstance& op) {
  std::vector<Variant> variants = {{"2 threads, unaligned", 2, true}, {"5 threads", 5}};
  const uint32_t traits = FindOp(op.kind)->traits;
  const auto same_bytes = [&](int i) {
    return i < op.num_inputs() && op.input(i).bytes() == op.output(0).bytes();
  };
  if ((traits & kMayRunInPlace) && same_bytes(0)) {
    variants.push_back({"in place", 1, false, 0});
    variants.push_back({"in place, 2 threads", 2, false, 0});
  }
  if ((traits & kInPlaceSecond) && same_bytes(1))
    variants.push_back({"in place over input 1", 1, false, 1});
  return variants;
}

// A run that could be stopped but is not must give the same bits. A run that is stopped, at the
// first question, half-way or at the last, must say so and break nothing (AddressSanitizer sees
// what it breaks).
std::string Stop(const PortableRun& run, const Outcome& plain) {
  for (int threads : {1, 2}) {
    const std::string what = std::to_string(threads) + " threads, could be stopped: ";
    const Outcome whole = run.Run({.threads = threads, .questions = INT64_MAX});
    if (!whole.status.ok()) return what + whole.status.what();
    if (whole.outputs != plain.outputs) return what + "bits differ from those of one thread";
    for (int64_t questions : {int64_t{0}, whole.asked / 2, whole.asked - 1}) {
      const Outcome stopped = run.Run({.threads = threads, .questions = questions});
      if (stopped.status.code() != StatusCode::kCancelled)
        return what + "was stopped at question " + std::to_string(questions) + " and says \"" +
               stopped.status.what() + "\"";
    }
  }
  return "";
}

// Runs with the constants of `op`; all variants must give the same bits.
std::string RunAll(const OpCase& test, const OpInstance& op, bool packs) {
  const PortableRun run(test, op, *FindPortableOp(op.kind), packs);
  const Outcome plain = run.Run({"1 thread"});
  std::string error = Check(test, plain);
  if (!error.empty()) return "1 thread: " + error;
  if (test.error != StatusCode::kOk) return "";
  for (const Variant& variant : Variants(op)) {
    const Outcome other = run.Run(variant);
    error = Check(test, other);
    if (!error.empty()) return std::string(variant.name) + ": " + error;
    if (other.outputs != plain.outputs)
      return std::string(variant.name) + ": bits differ from those of one thread";
  }
  return Stop(run, plain);
}

std::string RunAll(const OpCase& test, const OpInstance& op) {
  std::string error = RunAll(test, op, /*packs=*/true);
  if (!error.empty() || FindPortableOp(op.kind)->packs_input == nullptr) return error;
  error = RunAll(test, op, /*packs=*/false);
  return error.empty() ? "" : "plain weights: " + error;
}

class Portable : public CaseRunner {
 public:
  const char* name() const override { return "portable"; }
  bool must_run_everything() const override { return true; }
  const char* WhyUnsupported(const OpInstance& op) const override {
    const PortableOp* kernel = FindPortableOp(op.kind);
    return kernel == nullptr ? "no portable kernel" : kernel->why_unsupported(op);
  }

  std::string Run(const OpCase& test, const OpInstance& op) const override {
    const std::string error = RunAll(test, op);
    if (!error.empty()) return error;
    return RunWithConstantsFed(*this, op, [&](const OpInstance& fed) { return RunAll(test, fed); });
  }
};

}  // namespace

const CaseRunner& PortableRunner() {
  static const Portable runner;
  return runner;
}

}  // namespace linnet::conformance
