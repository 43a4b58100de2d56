// SPDX-License-Identifier: Apache-2.0
// The portable kernels on a few rows at a time, as where steps run in strips.
#include <algorithm>
#include <cstring>

#include "runtime/backends/portable/portable_op.h"
#include "runtime/backends/portable/strips.h"
#include "runtime/core/region.h"
#include "runtime/ops/cast.h"
#include "runtime/strips/strip_chain.h"
#include "tests/conformance/case_runner.h"
#include "tests/conformance/fed_constants.h"
#include "tests/conformance/test_threads.h"

namespace linnet::conformance {
namespace {

using portable::FindPortableOp;
using portable::PortableOp;

constexpr int64_t kReadBehind = 64;  // kernels may read behind a tensor

// What runs before and behind the op, so that its input and output are made in strips: a step that
// changes nothing.
class Same {
 public:
  explicit Same(const TensorType& type)
      : attrs_{.dtype = type.dtype}, input_{.type = type}, output_(type) {}
  Same(const Same&) = delete;
  Same& operator=(const Same&) = delete;
  OpInstance op() const { return {OpKind::kCast, &attrs_, {&input_, 1}, {&output_, 1}}; }

 private:
  CastAttrs attrs_;
  InputInfo input_;
  TensorType output_;
};

// Where the op stands in a chain.
struct Place {
  const char* name;
  bool has_before, has_behind;
};
constexpr Place kPlaces[] = {
    {"first", false, true}, {"last", true, false}, {"in the middle", true, true}};

class StripsRun {
 public:
  StripsRun(const OpCase& test, const OpInstance& op, bool packs)
      : op_(op), kernel_(*FindPortableOp(op.kind)), packs_(packs) {
    for (const CaseTensor& tensor : test.inputs) {
      inputs_.push_back(
          static_cast<std::byte*>(memory_.Allocate(std::ssize(tensor.bytes) + kReadBehind)));
      if (!tensor.bytes.empty())
        std::memcpy(inputs_.back(), tensor.bytes.data(), tensor.bytes.size());
    }
    const bool prepares = packs || kernel_.packs_input == nullptr;
    const int64_t bytes =
        prepares && kernel_.prepared_bytes != nullptr ? kernel_.prepared_bytes(op) : 0;
    if (bytes == 0) return;
    prepared_ = memory_.Allocate(bytes);
    kernel_.prepare(op, prepared_);
  }

  // By one call of the kernel.
  Status Whole(std::vector<uint8_t>* out) {
    std::vector<TensorView> inputs;
    for (int i = 0; i < op_.num_inputs(); ++i)
      inputs.push_back({op_.input(i), inputs_[static_cast<size_t>(i)]});
    const TensorView output{op_.output(0), Fresh(out)};
    const int64_t scratch = ScratchBytes(kernel_, op_, packs_, Parallel());
    return RunKernel(kernel_, {.attrs = op_.attrs,
                               .inputs = inputs,
                               .outputs = {&output, 1},
                               .prepared = prepared_,
                               .scratch = memory_.Allocate(scratch),
                               .packs = packs_,
                               .parallel = {}});
  }

  // "", or why these strips cannot be.
  std::string InStrips(const Place& place, int64_t rows, int threads, std::vector<uint8_t>* out) {
    Region session;
    const Same before(op_.input(0)), behind(op_.output(0));
    Chain chain;
    if (place.has_before) chain.Add(before.op(), {kX}, kBefore, nullptr, {inputs_[0]}, nullptr);
    AddOp(place, &chain, out);
    if (place.has_behind) chain.Add(behind.op(), {kMade}, kBehind, nullptr, {nullptr}, Fresh(out));
    if (chain.problem == nullptr) chain.problem = chain.strips.Finish(rows);
    if (chain.problem != nullptr) return chain.problem;
    RunnableStep* step = nullptr;
    int64_t workspace = 0;
    Status status = portable::CreateStrips({chain.strips, chain.steps, chain.packed}, packs_,
                                           TestThreads(&threads), session, &step, &workspace);
    if (!status.ok()) return status.what();
    void* const output = out->data();
    status = step->Setup({.inputs = chain.addresses,
                          .outputs = {&output, 1},
                          .workspace = session.Allocate(workspace),
                          .strip_rows = session.Allocate(chain.strips.memory_bytes())});
    if (status.ok()) status = step->Run();
    return status.what();
  }

 private:
  static constexpr int32_t kBefore = 0, kMade = 1, kBehind = 2, kX = 10;
  struct Chain {
    void Add(const OpInstance& op, const std::vector<int32_t>& inputs, int32_t output,
             void* weights, const std::vector<std::byte*>& from, uint8_t* to) {
      if (problem == nullptr) problem = strips.Add(op, inputs, output);
      steps.push_back({.index = output, .op = op});
      packed.push_back(weights);
      addresses.insert(addresses.end(), from.begin(), from.end());
      addresses.push_back(to);
    }
    StripPart room[kMaxStripParts];
    StripChain strips{room};
    std::vector<StepContext> steps;
    std::vector<void*> packed, addresses;
    const char* problem = nullptr;
  };

  void AddOp(const Place& place, Chain* chain, std::vector<uint8_t>* out) {
    std::vector<int32_t> tensors;
    for (int i = 0; i < op_.num_inputs(); ++i) tensors.push_back(kX + i);
    std::vector<std::byte*> from = inputs_;
    if (place.has_before) {
      tensors[0] = kBefore;
      from[0] = nullptr;
    }
    chain->Add(op_, tensors, kMade, prepared_, from, place.has_behind ? nullptr : Fresh(out));
  }

  // Bytes that nobody writes stay visible.
  uint8_t* Fresh(std::vector<uint8_t>* out) const {
    out->assign(static_cast<size_t>(op_.output(0).bytes()), 0xa5);
    return out->data();
  }

  const OpInstance& op_;
  const PortableOp& kernel_;
  const bool packs_;
  Region memory_;
  std::vector<std::byte*> inputs_;
  void* prepared_ = nullptr;
};

// Rows that the op makes at a time where it is the last one; in front of another, any will do.
bool CanMake(const RowWindow& window, const Place& place, int64_t rows, int64_t all) {
  return rows <= all && (place.has_behind || rows % window.multiple == 0 || rows == all);
}

// The input of the op may be made in strips where it is a picture like the output.
bool HasPictures(const OpInstance& op) {
  const Shape& in = op.input(0).shape;
  return UseOf(op, 0) == RowUse::kRows && in[0] == op.output(0).shape[0] && in.num_elements() > 0;
}

// A shape of fewer dimensions as a picture whose rows are the first one, [n] as [1,n,1,1].
Shape AsPicture(const Shape& shape) {
  const int rank = shape.rank();
  if (rank == 1) return {1, shape[0], 1, 1};
  if (rank == 2) return {1, shape[0], 1, shape[1]};
  return {1, shape[0], shape[1], shape[2]};
}

// The same op on pictures, where its result is that of a case without any; else the op itself.
class OnPictures {
 public:
  explicit OnPictures(const OpInstance& op) : op_(op), inputs_(op.inputs.begin(), op.inputs.end()) {
    const uint32_t traits = FindOp(op.kind)->traits;
    if ((traits & (kElementwise | kAlongLastDimension)) == 0) return;
    const int rank = op.output(0).shape.rank();
    if (rank < 1 || rank > 3) return;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (i > 0 && (traits & kAlongLastDimension)) break;
      Shape& shape = inputs_[i].type.shape;
      if (shape.rank() == 0) continue;
      if (shape.rank() != rank) return;
      shape = AsPicture(shape);
    }
    output_ = {op.output(0).dtype, AsPicture(op.output(0).shape)};
    op_.inputs = inputs_;
    op_.outputs = {&output_, 1};
  }
  OnPictures(const OnPictures&) = delete;
  OnPictures& operator=(const OnPictures&) = delete;
  const OpInstance& op() const { return op_; }

 private:
  OpInstance op_;
  std::vector<InputInfo> inputs_;
  TensorType output_;
};

std::string CheckStrips(const OpCase& test, const OpInstance& op, bool packs) {
  RowWindow window;
  if (!FindRowWindow(op, &window)) return "cannot be cut with these constants";
  StripsRun run(test, op, packs);
  std::vector<uint8_t> whole, strips;
  if (const Status status = run.Whole(&whole); !status.ok()) return status.what();
  for (const Place& place : kPlaces) {
    if (place.has_before && !HasPictures(op)) continue;
    const int64_t all = op.output(0).shape[1];
    for (const int64_t few : {1, 2, 3, 4}) {
      // As few, in a picture of so many rows that they would be too many strips.
      const int64_t rows = few * std::max<int64_t>(1, (all + kMaxStrips - 1) / kMaxStrips);
      if (!CanMake(window, place, rows, all)) continue;
      for (const int threads : {1, 2, 5}) {
        std::string error = run.InStrips(place, rows, threads, &strips);
        if (error.empty() && strips != whole) error = "bits differ from those of whole pictures";
        if (!error.empty())
          return std::string(place.name) + ", " + std::to_string(rows) + " rows, " +
                 std::to_string(threads) + " threads: " + error;
      }
    }
  }
  return "";
}

std::string CheckStrips(const OpCase& test, const OpInstance& op) {
  const OnPictures pictures(op);
  std::string error = CheckStrips(test, pictures.op(), /*packs=*/true);
  if (!error.empty() || FindPortableOp(op.kind)->packs_input == nullptr) return error;
  error = CheckStrips(test, pictures.op(), /*packs=*/false);
  return error.empty() ? "" : "plain weights: " + error;
}

class Strips : public CaseRunner {
 public:
  const char* name() const override { return "strips"; }
  const char* WhyUnsupported(const OpInstance& op) const override {
    RowWindow window;
    const OnPictures pictures(op);
    return FindRowWindow(pictures.op(), &window) ? nullptr : "cannot run in strips";
  }
  const char* WhyExcepted(const OpCase& test) const override {
    return test.error == StatusCode::kOk ? nullptr : "the run fails";
  }
  std::string Run(const OpCase& test, const OpInstance& op) const override {
    const std::string error = CheckStrips(test, op);
    if (!error.empty()) return error;
    return RunWithConstantsFed(*this, op,
                               [&](const OpInstance& fed) { return CheckStrips(test, fed); });
  }
};

}  // namespace

const CaseRunner& StripsRunner() {
  static const Strips runner;
  return runner;
}

}  // namespace linnet::conformance
