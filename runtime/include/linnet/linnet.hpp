// SPDX-License-Identifier: Apache-2.0
//
// linnet.hpp: linnet.h for C++17 and later. Header-only and without exceptions: functions that can
// fail return a Result or an optional Error. The contracts (threads, lifetimes, errors) are those
// of the C functions in linnet.h; here, objects keep alive what they need.
//
//   auto plan = linnet::Plan::Open("movenet.linnet");
//   if (!plan) return Fail(plan.error().text);
//   linnet::SessionOptions options;
//   options.threads = 2;
//   auto session = linnet::Session::Create(*plan, options);
//   if (!session) return Fail(session.error().text);
//   std::copy(picture.begin(), picture.end(), session->Input<float>(0).begin());
//   if (auto error = session->Run()) return Fail(error->text);
//   Use(session->Output<float>(0));
#ifndef LINNET_LINNET_HPP_
#define LINNET_LINNET_HPP_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "linnet/linnet.h"
#include "linnet/open_options.hpp"
#include "linnet/result.hpp"
#include "linnet/session_options.hpp"
#include "linnet/span.hpp"

namespace linnet {
// The inline namespace keeps these classes apart from classes of the same names inside the library,
// which static linking brings into the same program.
inline namespace v0 {

// Types of the C API that need no wrapping.
using TensorInfo = linnet_tensor_info;
using BackendInfo = linnet_backend_info;
using DeviceTimes = linnet_device_times;
using Memory = linnet_memory;
using PlanStats = linnet_plan_stats;
using StepInfo = linnet_step_info;
using Device = linnet_device;

// The number of devices that run plans on this machine: the CPU, which is the first, and the GPU
// where there is one that Vulkan can use.
inline int NumDevices() { return linnet_num_devices(); }
// Null when `index` is out of range.
inline const Device* GetDevice(int index) { return linnet_get_device(index); }

// Memory of the caller for an input or an output; see linnet_buffer.
struct Buffer {
  linnet_buffer_kind kind = LINNET_BUFFER_POINTER;
  linnet_buffer_format format = LINNET_FORMAT_TENSOR;
  void* address = nullptr;
  size_t bytes = 0;
  size_t pitch = 0;  // bytes from the start of one row to the next; 0: no gaps between rows

  linnet_buffer ToC() const {
    linnet_buffer buffer{};
    buffer.struct_size = sizeof(buffer);
    buffer.kind = kind;
    buffer.format = format;
    buffer.address = address;
    buffer.bytes = bytes;
    buffer.pitch = pitch;
    return buffer;
  }
};

// A verified plan. Copies share one plan; it stays open until all copies, and all sessions and
// weights made from it, are gone. Any number of threads may use it at once.
class Plan {
 public:
  // Opens and verifies a file.
  static Result<Plan> Open(const char* path, const OpenOptions& wanted = {}) {
    const linnet_open_options options = wanted.ToC();
    linnet_plan* plan = nullptr;
    Error error{};
    if (linnet_plan_open_file(path, &options, &plan, &error) != LINNET_OK) return error;
    return Plan(plan);
  }
  static Result<Plan> Open(const char* path, uint32_t flags) {
    OpenOptions options;
    options.flags = flags;
    return Open(path, options);
  }
  // Opens a part of an open file, at any offset; to its end when `bytes` is 0.
  static Result<Plan> OpenFd(int fd, int64_t offset, int64_t bytes,
                             const OpenOptions& wanted = {}) {
    const linnet_open_options options = wanted.ToC();
    linnet_plan* plan = nullptr;
    Error error{};
    if (linnet_plan_open_fd(fd, offset, bytes, &options, &plan, &error) != LINNET_OK) return error;
    return Plan(plan);
  }
  // The caller owns `bytes` and must not change them while the plan is open.
  static Result<Plan> Open(Span<const std::byte> bytes, const OpenOptions& wanted = {}) {
    const linnet_open_options options = wanted.ToC();
    linnet_plan* plan = nullptr;
    Error error{};
    if (linnet_plan_open_memory(bytes.data(), bytes.size(), &options, &plan, &error) != LINNET_OK)
      return error;
    return Plan(plan);
  }
  // Opens a plan that two functions supply, which are called during OpenReader only. size() returns
  // the number of bytes of the plan, or a negative number on failure; read(offset, to, bytes)
  // copies bytes of the plan to `to` and returns true on success.
  template <typename Size, typename Read>
  static Result<Plan> OpenReader(Size size, Read read, const OpenOptions& wanted = {}) {
    const linnet_open_options options = wanted.ToC();
    struct Hooks {
      Size size;
      Read read;
    } hooks{std::move(size), std::move(read)};
    linnet_reader reader{};
    reader.struct_size = sizeof(reader);
    reader.context = &hooks;
    reader.size = [](void* context) {
      return static_cast<int64_t>(static_cast<Hooks*>(context)->size());
    };
    reader.read = [](void* context, int64_t offset, void* to, size_t bytes) {
      return static_cast<Hooks*>(context)->read(offset, to, bytes) ? 0 : 1;
    };
    linnet_plan* plan = nullptr;
    Error error{};
    if (linnet_plan_open_reader(&reader, &options, &plan, &error) != LINNET_OK) return error;
    return Plan(plan);
  }

  // What the C functions take, and what they return of it.
  linnet_plan* get() const { return plan_.get(); }
  int64_t bytes() const { return linnet_plan_bytes(get()); }  // what OpenOptions::block must have
  int num_signatures() const { return linnet_plan_num_signatures(get()); }
  const char* signature(int index) const { return linnet_plan_signature(get(), index); }
  int num_inputs(int signature = 0) const { return linnet_plan_num_inputs(get(), signature); }
  int num_outputs(int signature = 0) const { return linnet_plan_num_outputs(get(), signature); }
  // Null when `index` or `signature` is out of range.
  const TensorInfo* input_info(int index, int signature = 0) const {
    return linnet_plan_input_info(get(), signature, index);
  }
  const TensorInfo* output_info(int index, int signature = 0) const {
    return linnet_plan_output_info(get(), signature, index);
  }
  // Sizes of the plan's parts.
  PlanStats stats() const {
    PlanStats stats{};
    stats.struct_size = sizeof(stats);
    linnet_plan_get_stats(get(), &stats);
    return stats;
  }

 private:
  explicit Plan(linnet_plan* plan) : plan_(plan, linnet_plan_close) {}
  std::shared_ptr<linnet_plan> plan_;
};

// Packed weights of one signature for one backend. Copies share the same weights.
class Weights {
 public:
  // Uses only these members of `options`: signature, backend, block, max_bytes, device, kernels,
  // and for these threads.
  static Result<Weights> Prepare(const Plan& plan, const SessionOptions& options = {}) {
    const linnet_session_options given = options.ToC();
    linnet_weights* weights = nullptr;
    Error error{};
    if (linnet_weights_prepare(plan.get(), &given, &weights, &error) != LINNET_OK) return error;
    return Weights(plan, weights);
  }
  // What the C functions take.
  linnet_weights* get() const { return weights_.get(); }

 private:
  Weights(const Plan& plan, linnet_weights* weights)
      : weights_(weights, [plan](linnet_weights* last) { linnet_weights_release(last); }) {}
  std::shared_ptr<linnet_weights> weights_;  // its deleter keeps the plan open
};

inline linnet_session_options SessionOptions::ToC() const {
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.signature = signature;
  options.backend = backend;
  options.threads = threads;
  options.pool = pool;
  options.weights = weights == nullptr ? nullptr : weights->get();
  options.block = block.data();
  options.block_bytes = block.size();
  options.log = log;
  options.log_context = log_context;
  options.max_bytes = max_bytes;
  options.device = device;
  options.cache = cache.data();
  options.cache_bytes = cache.size();
  options.store_cache = store_cache;
  options.store_context = store_context;
  options.flags = flags;
  options.kernels = kernels.data();
  options.kernels_bytes = kernels.size();
  return options;
}

// A plan ready to run, with its memory and threads. May be used by one thread at a time, except
// Cancel.
class Session {
 public:
  // Allocates everything that runs will need.
  static Result<Session> Create(const Plan& plan, const SessionOptions& wanted = {}) {
    const linnet_session_options options = wanted.ToC();
    linnet_session* session = nullptr;
    Error error{};
    if (linnet_session_create(plan.get(), &options, &session, &error) != LINNET_OK) return error;
    return Session(plan, wanted.weights, session);
  }
  // The memory that such a session needs. options.block must have at least `block` bytes of it.
  static Result<Memory> Measure(const Plan& plan, const SessionOptions& wanted = {}) {
    const linnet_session_options options = wanted.ToC();
    Memory memory{};
    memory.struct_size = sizeof(memory);
    Error error{};
    if (linnet_session_bytes(plan.get(), &options, &memory, &error) != LINNET_OK) return error;
    return memory;
  }

  // What the C functions take, and what they return of it.
  linnet_session* get() const { return session_.get(); }
  int num_inputs() const { return linnet_session_num_inputs(get()); }
  int num_outputs() const { return linnet_session_num_outputs(get()); }
  // Null when `index` is out of range.
  const TensorInfo* input_info(int index) const { return linnet_session_input_info(get(), index); }
  const TensorInfo* output_info(int index) const {
    return linnet_session_output_info(get(), index);
  }
  // The index of the input (output) of that name; -1 when there is none.
  int FindInput(const char* name) const { return linnet_session_find_input(get(), name); }
  int FindOutput(const char* name) const { return linnet_session_find_output(get(), name); }

  // The shape of an input from the next run on, and of an output in the last run. Only dimensions
  // that vary (TensorInfo::varies) can be set.
  std::optional<Error> SetInputShape(int index, Span<const int64_t> dims) {
    return ErrorOf(linnet_session_set_input_shape(get(), index, dims.data(),
                                                  static_cast<int32_t>(dims.size())));
  }
  Dims InputShape(int index) const {
    Dims dims;
    dims.rank = linnet_session_input_shape(get(), index, dims.values);
    return dims;
  }
  Dims OutputShape(int index) const {
    Dims dims;
    dims.rank = linnet_session_output_shape(get(), index, dims.values);
    return dims;
  }

  // The elements of an input or output in its current shape; empty when T is not their type
  // (Holds).
  template <typename T>
  Span<T> Input(int index) {
    return View<T>(linnet_session_input_data(get(), index), input_info(index), InputShape(index));
  }
  template <typename T>
  Span<const T> Output(int index) const {
    return View<const T>(linnet_session_output_data(get(), index), output_info(index),
                         OutputShape(index));
  }

  // Makes the following runs use memory of the caller, who keeps owning it; an empty span returns
  // to the session's own memory. See linnet_session_bind_input for when no copy is made.
  std::optional<Error> BindInput(int index, Span<const std::byte> bytes) {
    return ErrorOf(linnet_session_bind_input(get(), index, bytes.data(), bytes.size()));
  }
  std::optional<Error> BindOutput(int index, Span<std::byte> bytes) {
    return ErrorOf(linnet_session_bind_output(get(), index, bytes.data(), bytes.size()));
  }

  // The same for any kind of memory, also with gaps between rows.
  std::optional<Error> BindInputBuffer(int index, const Buffer& memory) {
    const linnet_buffer buffer = memory.ToC();
    return ErrorOf(linnet_session_bind_input_buffer(get(), index, &buffer));
  }
  std::optional<Error> BindOutputBuffer(int index, const Buffer& memory) {
    const linnet_buffer buffer = memory.ToC();
    return ErrorOf(linnet_session_bind_output_buffer(get(), index, &buffer));
  }

  // Runs the plan once; no error when the run succeeded.
  std::optional<Error> Run() { return ErrorOf(linnet_session_run(get())); }
  // Starts a run on a thread of the session and returns at once; Wait returns its result. Until
  // then inputs and outputs belong to the run.
  std::optional<Error> Submit() { return ErrorOf(linnet_session_submit(get())); }
  // Waits for the submitted run, without limit when `timeout_ns` is negative. No error when the run
  // succeeded; LINNET_TIMEOUT when it is still going on.
  std::optional<Error> Wait(int64_t timeout_ns = -1) {
    return ErrorOf(linnet_session_wait(get(), timeout_ns));
  }
  // Gives the model's variables the values that they have in a new session.
  void Reset() { linnet_session_reset(get()); }
  // Makes the run in progress, or else the next one, fail with LINNET_CANCELLED. From any thread.
  void Cancel() { linnet_session_cancel(get()); }
  // Of the last call that could fail, also when it did not.
  const Error& last_error() const { return *linnet_session_last_error(get()); }

  // What runs the session now, and why not the GPU.
  BackendInfo backend() const {
    BackendInfo info{};
    info.struct_size = sizeof(info);
    linnet_session_backend(get(), &info);
    return info;
  }
  // Writes what SessionOptions::cache of the next process wants, if `to` has enough bytes, and
  // returns how many are needed; see linnet_session_cache.
  int64_t Cache(Span<std::byte> to) const {
    return linnet_session_cache(get(), to.data(), to.size());
  }
  // How many bytes the session uses, and what for.
  Memory memory() const {
    Memory memory{};
    memory.struct_size = sizeof(memory);
    linnet_session_memory(get(), &memory);
    return memory;
  }
  // Of the program that runs.
  int num_steps() const { return linnet_session_num_steps(get()); }
  // No value when `index` is out of range.
  std::optional<StepInfo> step_info(int index) const {
    StepInfo info{};
    info.struct_size = sizeof(info);
    if (linnet_session_get_step_info(get(), index, &info) == 0) return std::nullopt;
    return info;
  }
  // Writes what a step computes, as a kernel profile names it, if `to` has room for it and a NUL,
  // and returns the number of characters; 0 where there is no choice of kernels.
  int StepKind(int index, Span<char> to) const {
    return linnet_session_step_kind(get(), index, to.data(), to.size());
  }
  // Whether runs measure their steps; they do not at first.
  void EnableProfile(bool on) { linnet_session_enable_profile(get(), on ? 1 : 0); }
  // Nanoseconds that each step took in the last run; empty while profiling is off.
  Span<const int64_t> step_ns() const {
    const int64_t* times = linnet_session_step_ns(get());
    return {times, times == nullptr ? 0 : static_cast<size_t>(num_steps())};
  }
  // How often a run hands steps to a device other than the CPU, and the waits for it.
  DeviceTimes device_times() const {
    DeviceTimes times{};
    times.struct_size = sizeof(times);
    linnet_session_device_times(get(), &times);
    return times;
  }

 private:
  struct Destroy {
    void operator()(linnet_session* session) const { linnet_session_destroy(session); }
  };
  Session(Plan plan, const Weights* weights, linnet_session* session)
      : plan_(std::move(plan)), session_(session) {
    if (weights != nullptr) weights_ = *weights;
  }

  std::optional<Error> ErrorOf(linnet_status status) const {
    if (status == LINNET_OK) return std::nullopt;
    return *linnet_session_last_error(get());
  }

  template <typename T, typename Data>
  static Span<T> View(Data* data, const TensorInfo* info, const Dims& shape) {
    if (info == nullptr || !Holds<T>(info->dtype)) return {};
    int64_t elements = 1;
    for (const int64_t dim : shape.dims()) elements *= dim;
    return {static_cast<T*>(data), static_cast<size_t>(elements)};
  }

  // Declared before session_, so that they outlive it.
  Plan plan_;
  std::optional<Weights> weights_;
  std::unique_ptr<linnet_session, Destroy> session_;
};

}  // namespace v0
}  // namespace linnet

#endif  // LINNET_LINNET_HPP_
