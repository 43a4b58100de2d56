// SPDX-License-Identifier: Apache-2.0
// count_allocations PLAN [cpu|portable [THREADS [kept]]]: runs a plan of any model and fails unless
//   - linnet_session_run makes no call of malloc,
//   - a session lives in a block of exactly the size that linnet_session_bytes says, and a block
//     one byte smaller is refused with that size,
//   - a second session has at no time more memory of malloc's than that block: packed weights are
//     shared,
//   - two sessions in two threads give the bits that one gives alone,
//   - inputs are unchanged after a run if they have LINNET_TENSOR_KEPT; with "kept" all must have
//   it.
// Replaces the C library's allocator (counted_malloc.h), so it is not built under sanitizers.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "linnet/linnet.h"
#include "tests/runtime/counted_malloc.h"

namespace {

constexpr size_t kBlockAlignment = 64;

struct Free {
  void operator()(void* piece) const { free(piece); }
};
using Block = std::unique_ptr<void, Free>;
using Outputs = std::vector<std::vector<char>>;

struct PlanCloser {
  void operator()(linnet_plan* plan) const { linnet_plan_close(plan); }
};
struct SessionDestroyer {
  void operator()(linnet_session* session) const { linnet_session_destroy(session); }
};
using Session = std::unique_ptr<linnet_session, SessionDestroyer>;

int Fail(const std::string& text) {
  std::fprintf(stderr, "count_allocations: %s\n", text.c_str());
  return 1;
}

Session Create(linnet_plan* plan, const linnet_session_options& options, linnet_error* error) {
  linnet_session* session = nullptr;
  linnet_session_create(plan, &options, &session, error);
  return Session(session);
}

// The same values for every session: ones where elements are integers, also as numbers of words or
// rows, or floats in [0, 1).
void FillInputs(linnet_session* session) {
  for (int32_t i = 0; i < linnet_session_num_inputs(session); ++i) {
    const linnet_tensor_info& info = *linnet_session_input_info(session, i);
    void* data = linnet_session_input_data(session, i);
    if (info.dtype == LINNET_FLOAT32) {
      float* values = static_cast<float*>(data);
      for (int64_t k = 0; k < info.bytes / 4; ++k)
        values[k] = static_cast<float>(k * 37 % 101) / 101.0f;
    } else if (info.dtype == LINNET_INT32) {
      std::fill_n(static_cast<int32_t*>(data), info.bytes / 4, 1);
    } else if (info.dtype == LINNET_INT64) {
      std::fill_n(static_cast<int64_t*>(data), info.bytes / 8, 1);
    } else {
      std::memset(data, 1, static_cast<size_t>(info.bytes));
    }
  }
}

Outputs ReadOutputs(const linnet_session* session) {
  Outputs outputs;
  for (int32_t i = 0; i < linnet_session_num_outputs(session); ++i) {
    const char* data = static_cast<const char*>(linnet_session_output_data(session, i));
    outputs.emplace_back(data, data + linnet_session_output_info(session, i)->bytes);
  }
  return outputs;
}

// Runs twice with new inputs; returns the outputs, or nothing on failure.
Outputs RunTwice(linnet_session* session) {
  for (int run = 0; run < 2; ++run) {
    FillInputs(session);
    if (linnet_session_run(session) != LINNET_OK) return {};
  }
  return ReadOutputs(session);
}

// Runs without writing the inputs again, if all are kept: that must give the same bits.
int CheckKeptInputs(linnet_plan* plan, const linnet_session_options& options, bool all,
                    const Outputs& expected) {
  linnet_error error{};
  const Session session = Create(plan, options, &error);
  if (session == nullptr) return Fail(error.text);
  FillInputs(session.get());
  Outputs before;
  const int32_t count = linnet_session_num_inputs(session.get());
  const auto bytes_of = [&](int32_t input) {
    const char* data = static_cast<const char*>(linnet_session_input_data(session.get(), input));
    return std::vector<char>(data, data + linnet_session_input_info(session.get(), input)->bytes);
  };
  for (int32_t i = 0; i < count; ++i) before.push_back(bytes_of(i));
  if (linnet_session_run(session.get()) != LINNET_OK) return Fail("a run failed");
  int32_t kept = 0;
  for (int32_t i = 0; i < count; ++i) {
    if ((linnet_session_input_info(session.get(), i)->flags & LINNET_TENSOR_KEPT) == 0) continue;
    if (bytes_of(i) != before[static_cast<size_t>(i)]) return Fail("a kept input has changed");
    ++kept;
  }
  std::printf("%d of %d inputs are kept\n", kept, count);
  if (all && kept != count) return Fail("an input is not kept");
  if (kept == count &&
      (linnet_session_run(session.get()) != LINNET_OK || ReadOutputs(session.get()) != expected))
    return Fail("a run on kept inputs gives other outputs");
  return 0;
}

int CheckRuns(linnet_plan* plan, const linnet_session_options& options, Outputs* outputs) {
  linnet_error error{};
  const Session session = Create(plan, options, &error);
  if (session == nullptr) return Fail(error.text);
  for (int run = 0; run < 2; ++run) {
    FillInputs(session.get());
    linnet_status status;
    {
      const linnet::CountedScope scope(-1);
      status = linnet_session_run(session.get());
    }
    const int64_t calls = linnet::CountedScope::calls();
    if (status != LINNET_OK) return Fail(linnet_session_last_error(session.get())->text);
    std::printf("run %d: %lld calls of malloc\n", run, static_cast<long long>(calls));
    if (calls != 0) return Fail("a run allocates");
  }
  *outputs = ReadOutputs(session.get());
  return 0;
}

int CheckBlock(linnet_plan* plan, linnet_session_options options, const Outputs& expected) {
  linnet_memory memory{};
  memory.struct_size = sizeof(memory);
  linnet_error error{};
  if (linnet_session_bytes(plan, &options, &memory, &error) != LINNET_OK) return Fail(error.text);
  const size_t bytes = static_cast<size_t>(memory.block);
  // Not rounded up to the alignment: the bytes behind it belong to others.
  const Block block(aligned_alloc(kBlockAlignment, bytes + kBlockAlignment));
  char* const end = static_cast<char*>(block.get()) + bytes;
  std::memset(end, 0x5a, kBlockAlignment);
  options.block = block.get();
  options.block_bytes = bytes - 1;
  if (Create(plan, options, &error) != nullptr)
    return Fail("a block one byte too small is accepted");
  if (error.status != LINNET_NO_MEMORY || error.bytes_needed != memory.block)
    return Fail("a block one byte too small: " + std::string(error.text));
  options.block_bytes = bytes;
  const Session session = Create(plan, options, &error);
  if (session == nullptr) return Fail("a block of the exact size: " + std::string(error.text));
  if (RunTwice(session.get()) != expected) return Fail("other outputs in a block");
  for (size_t i = 0; i < kBlockAlignment; ++i)
    if (end[i] != 0x5a) return Fail("written behind the block");
  std::printf("block of %zu bytes: fits exactly, arena %lld, operators %lld, workspace %lld\n",
              bytes, static_cast<long long>(memory.arena), static_cast<long long>(memory.operators),
              static_cast<long long>(memory.workspace));
  return 0;
}

int CheckSecondSession(linnet_plan* plan, const linnet_session_options& options) {
  linnet_error error{};
  const Session first = Create(plan, options, &error);
  if (first == nullptr) return Fail(error.text);
  linnet_memory memory{};
  memory.struct_size = sizeof(memory);
  if (linnet_session_memory(first.get(), &memory) != LINNET_OK) return Fail("no memory figures");
  Session second;
  {
    const linnet::CountedScope scope(-1);
    second = Create(plan, options, &error);
  }
  // Not what is asked for in all: XNNPACK also takes memory for a moment.
  const int64_t peak = linnet::CountedScope::peak_bytes();
  if (second == nullptr) return Fail(error.text);
  std::printf("second session: %lld bytes, beside %lld of packed weights that both read\n",
              static_cast<long long>(peak), static_cast<long long>(memory.prepared));
  constexpr int64_t kHandles = 64 << 10;  // the session object, names and threads
  return peak <= memory.block + kHandles ? 0 : Fail("a second session takes more than a block");
}

int CheckTwoSessions(linnet_plan* plan, linnet_session_options options, const Outputs& expected) {
  linnet_error error{};
  options.threads = 1;  // with more, sessions would wait for each other where there are two cores
  const Session first = Create(plan, options, &error), second = Create(plan, options, &error);
  if (first == nullptr || second == nullptr) return Fail(error.text);
  Outputs of_first, of_second;
  std::thread other([&] { of_second = RunTwice(second.get()); });
  of_first = RunTwice(first.get());
  other.join();
  if (of_first != expected || of_second != expected)
    return Fail("two sessions at once disturb each other");
  std::printf("two sessions at once: the same bits\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const bool all_kept = argc == 5 && std::string_view(argv[4]) == "kept";
  if (argc < 2 || argc > 5 || (argc == 5 && !all_kept))
    return Fail("usage: count_allocations PLAN [cpu|portable [THREADS [kept]]]");
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.backend = argc > 2 && std::string_view(argv[2]) == "portable" ? LINNET_BACKEND_PORTABLE
                                                                        : LINNET_BACKEND_CPU;
  options.threads = argc > 3 ? std::atoi(argv[3]) : 1;
  linnet_error error{};
  linnet_plan* opened = nullptr;
  if (linnet_plan_open_file(argv[1], nullptr, &opened, &error) != LINNET_OK)
    return Fail(error.text);
  const std::unique_ptr<linnet_plan, PlanCloser> plan(opened);
  Outputs outputs;
  if (const int code = CheckRuns(plan.get(), options, &outputs); code != 0) return code;
  if (const int code = CheckKeptInputs(plan.get(), options, all_kept, outputs); code != 0)
    return code;
  if (const int code = CheckBlock(plan.get(), options, outputs); code != 0) return code;
  if (const int code = CheckSecondSession(plan.get(), options); code != 0) return code;
  return CheckTwoSessions(plan.get(), options, outputs);
}
