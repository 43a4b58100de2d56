// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/structure/test_session.h"

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "runtime/core/dtype.h"
#include "tests/fuzz/run_plan.h"

namespace linnet::fuzz {
namespace {

constexpr size_t kMaxBytes = size_t{8} << 20;
// So small that hundreds of plans per second run under sanitizers.
constexpr int64_t kMaxMacs = 1 << 18, kMaxStepBytes = 1 << 16;

bool IsQuick(const linnet_session* session) {
  int64_t macs = 0, bytes = 0;
  for (int32_t i = 0; i < linnet_session_num_steps(session); ++i) {
    linnet_step_info step{};
    step.struct_size = sizeof(step);
    if (linnet_session_get_step_info(session, i, &step) == 0) Broken("a step has no info");
    if (step.macs > kMaxMacs || step.bytes > kMaxStepBytes) return false;
    macs += step.macs;
    bytes += step.bytes;
  }
  return macs <= kMaxMacs && bytes <= 4 * kMaxStepBytes;
}

size_t BytesNow(const linnet_tensor_info& info, const int64_t* dims, int32_t rank) {
  if (rank != info.rank) Broken("a tensor changes its rank");
  int64_t bytes = DTypeBytes(static_cast<DType>(info.dtype));
  for (int32_t d = 0; d < rank; ++d) {
    if (dims[d] < 0 || dims[d] > info.dims[d]) Broken("an extent is above its largest");
    bytes *= dims[d];
  }
  return static_cast<size_t>(bytes);
}

}  // namespace

void Broken(const std::string& what) {
  std::fprintf(stderr, "broken guarantee: %s\n", what.c_str());
  std::abort();
}

TestSession::TestSession(linnet_plan* plan, const char* signature, linnet_backend backend,
                         int threads, bool own_block) {
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.signature = signature;
  options.backend = backend;
  options.threads = threads;
  options.max_bytes = kMaxBytes;
  if (own_block) {
    linnet_memory memory{};
    memory.struct_size = sizeof(memory);
    if (linnet_session_bytes(plan, &options, &memory, nullptr) != LINNET_OK) return;
    block_.emplace_back(static_cast<size_t>(memory.block), 0);
    options.block = block_[0].data();
    options.block_bytes = block_[0].size();
  }
  linnet_error error{};
  const linnet_status status = linnet_session_create(plan, &options, &session_, &error);
  if (own_block && status != LINNET_OK)
    Broken(std::string("a block of linnet_session_bytes is refused: ") + error.text);
  if (status != LINNET_OK) return;
  inputs_.resize(static_cast<size_t>(linnet_session_num_inputs(session_)));
  outputs_.resize(static_cast<size_t>(linnet_session_num_outputs(session_)));
  has_loop_ = HasLoop(session_);
  good_ = IsQuick(session_);
}

TestSession::~TestSession() {
  linnet_session_destroy(session_);
  if (!block_.empty() && !block_[0].IsIntact()) Broken("a write beside the session's block");
}

size_t TestSession::InputBytes(int32_t index) const {
  int64_t dims[LINNET_MAX_RANK];
  const int32_t rank = linnet_session_input_shape(session_, index, dims);
  return BytesNow(*linnet_session_input_info(session_, index), dims, rank);
}

size_t TestSession::OutputBytes(int32_t index) const {
  int64_t dims[LINNET_MAX_RANK];
  const int32_t rank = linnet_session_output_shape(session_, index, dims);
  return BytesNow(*linnet_session_output_info(session_, index), dims, rank);
}

void TestSession::Unbind() {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    linnet_session_bind_input(session_, static_cast<int32_t>(i), nullptr, 0);
    inputs_[i].clear();
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    linnet_session_bind_output(session_, static_cast<int32_t>(i), nullptr, 0);
    outputs_[i].clear();
  }
}

void TestSession::Bind(Random& random) {
  Unbind();
  const auto memory = [&](int64_t bytes) {
    // Memory that needs no copy, or that needs one because bytes behind it are missing or it is not
    // aligned.
    const size_t room = random.OneIn(3) ? 0 : 16, shift = random.OneIn(3) ? 4 : 0;
    return CanaryMemory(static_cast<size_t>(bytes) + room, shift);
  };
  for (int32_t i = 0; i < static_cast<int32_t>(inputs_.size()); ++i) {
    std::vector<CanaryMemory>& bound = inputs_[static_cast<size_t>(i)];
    if (random.OneIn(2)) continue;
    bound.push_back(memory(linnet_session_input_info(session_, i)->bytes));
    if (linnet_session_bind_input(session_, i, bound[0].data(), bound[0].size()) != LINNET_OK)
      bound.clear();
  }
  for (int32_t i = 0; i < static_cast<int32_t>(outputs_.size()); ++i) {
    std::vector<CanaryMemory>& bound = outputs_[static_cast<size_t>(i)];
    if (random.OneIn(2)) continue;
    bound.push_back(memory(linnet_session_output_info(session_, i)->bytes));
    if (linnet_session_bind_output(session_, i, bound[0].data(), bound[0].size()) != LINNET_OK)
      bound.clear();
  }
}

void TestSession::Feed(std::span<const Bytes> inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    void* data = inputs_[i].empty() ? linnet_session_input_data(session_, static_cast<int32_t>(i))
                                    : inputs_[i][0].data();
    if (!inputs[i].empty()) std::memcpy(data, inputs[i].data(), inputs[i].size());
  }
}

linnet_status TestSession::Run(std::span<const Bytes> inputs) {
  Feed(inputs);
  std::optional<Watchdog> watchdog;
  if (has_loop_) watchdog.emplace(session_);
  const linnet_status status = linnet_session_run(session_);
  watchdog.reset();
  CheckMemory(inputs);
  if (status == LINNET_INTERNAL)
    Broken(std::string("a run says: ") + linnet_session_last_error(session_)->text);
  return status;
}

void TestSession::RunCancelled() {
  linnet_session_cancel(session_);
  const linnet_status status = linnet_session_run(session_);
  if (status != LINNET_CANCELLED && linnet_session_num_steps(session_) > 0)
    Broken("a cancelled run goes on");
}

void TestSession::CheckMemory(std::span<const Bytes> inputs) const {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs_[i].empty()) continue;
    if (!inputs_[i][0].IsIntact()) Broken("a write beside a bound input");
    if (!inputs[i].empty() &&
        std::memcmp(inputs_[i][0].data(), inputs[i].data(), inputs[i].size()) != 0)
      Broken("a write to a bound input");
  }
  for (const std::vector<CanaryMemory>& output : outputs_)
    if (!output.empty() && !output[0].IsIntact()) Broken("a write beside a bound output");
}

Bytes TestSession::Output(int32_t index) const {
  const std::vector<CanaryMemory>& bound = outputs_[static_cast<size_t>(index)];
  const void* data = linnet_session_output_data(session_, index);
  if (!bound.empty() && data != bound[0].data()) Broken("a bound output lies elsewhere");
  const auto* bytes = static_cast<const uint8_t*>(data);
  return {bytes, bytes + OutputBytes(index)};
}

}  // namespace linnet::fuzz
