// SPDX-License-Identifier: Apache-2.0
//
// linnet.hpp: linnet.h for C++20. Header only, no exceptions: what can fail gives a Result.
//
//   auto plan = linnet::Plan::Open("movenet.linnet");
//   if (!plan) return Fail(plan.error().text);
//   auto session = linnet::Session::Create(*plan, {.threads = 2});
//   if (!session) return Fail(session.error().text);
//   std::ranges::copy(picture, session->Input<float>(0).begin());
//   if (auto error = session->Run()) return Fail(error->text);
//   Use(session->Output<float>(0));
#ifndef LINNET_LINNET_HPP_
#define LINNET_LINNET_HPP_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "linnet/linnet.h"

// The version in the names keeps these classes apart from the library's own, which a static link
// brings into the same program.
namespace linnet::inline v0 {

using Error = linnet_error;
using TensorInfo = linnet_tensor_info;

// A shape; rank -1 when there is no such tensor.
struct Dims {
  int64_t values[LINNET_MAX_RANK] = {};
  int32_t rank = 0;
  std::span<const int64_t> dims() const {
    return {values, rank < 0 ? 0 : static_cast<size_t>(rank)};
  }
};

// A value or the reason why there is none.
template <typename T>
class Result {
 public:
  Result(T value) : state_(std::move(value)) {}  // NOLINT: implicit on purpose
  Result(const Error& error) : state_(error) {}  // NOLINT
  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return *std::get_if<0>(&state_); }  // REQUIRES: has a value
  T* operator->() { return std::get_if<0>(&state_); }
  const Error& error() const { return *std::get_if<1>(&state_); }  // REQUIRES: has none

 private:
  std::variant<T, Error> state_;
};

// A verified plan. Outlives its sessions. May be used by any number of threads.
class Plan {
 public:
  static Result<Plan> Open(const char* path, uint32_t flags = 0) {
    const linnet_open_options options{sizeof(options), flags};
    linnet_plan* plan = nullptr;
    Error error{};
    if (linnet_plan_open_file(path, &options, &plan, &error) != LINNET_OK) return error;
    return Plan(plan);
  }
  // `bytes` stay the caller's and unchanged while the plan lives.
  static Result<Plan> Open(std::span<const std::byte> bytes) {
    linnet_plan* plan = nullptr;
    Error error{};
    if (linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan, &error) != LINNET_OK)
      return error;
    return Plan(plan);
  }

  linnet_plan* get() const { return plan_.get(); }
  int num_signatures() const { return linnet_plan_num_signatures(get()); }
  const char* signature(int index) const { return linnet_plan_signature(get(), index); }

 private:
  struct Close {
    void operator()(linnet_plan* plan) const { linnet_plan_close(plan); }
  };
  explicit Plan(linnet_plan* plan) : plan_(plan) {}
  std::unique_ptr<linnet_plan, Close> plan_;
};

// What a session is to be: see linnet_session_options.
struct SessionOptions {
  const char* signature = nullptr;
  linnet_backend backend = LINNET_BACKEND_AUTO;
  int threads = 1;
  pthreadpool* pool = nullptr;
  std::span<std::byte> block = {};  // empty: malloc
  size_t max_bytes = 0;             // 0: no limit
};

// An execution context of a plan. One thread at a time.
class Session {
 public:
  static Result<Session> Create(const Plan& plan, const SessionOptions& wanted = {}) {
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.signature = wanted.signature;
    options.backend = wanted.backend;
    options.threads = wanted.threads;
    options.pool = wanted.pool;
    options.block = wanted.block.data();
    options.block_bytes = wanted.block.size();
    options.max_bytes = wanted.max_bytes;
    linnet_session* session = nullptr;
    Error error{};
    if (linnet_session_create(plan.get(), &options, &session, &error) != LINNET_OK) return error;
    return Session(session);
  }

  linnet_session* get() const { return session_.get(); }
  int num_inputs() const { return linnet_num_inputs(get()); }
  int num_outputs() const { return linnet_num_outputs(get()); }
  const TensorInfo* input_info(int index) const { return linnet_input_info(get(), index); }
  const TensorInfo* output_info(int index) const { return linnet_output_info(get(), index); }
  int FindInput(const char* name) const { return linnet_find_input(get(), name); }
  int FindOutput(const char* name) const { return linnet_find_output(get(), name); }

  // Extents that vary: the input's from the next run on, the output's in the last one.
  std::optional<Error> SetInputShape(int index, std::span<const int64_t> dims) {
    if (linnet_set_input_shape(get(), index, dims.data(), static_cast<int32_t>(dims.size())) ==
        LINNET_OK)
      return std::nullopt;
    return *linnet_last_error(get());
  }
  Dims InputShape(int index) const {
    Dims dims;
    dims.rank = linnet_input_shape(get(), index, dims.values);
    return dims;
  }
  Dims OutputShape(int index) const {
    Dims dims;
    dims.rank = linnet_output_shape(get(), index, dims.values);
    return dims;
  }

  // Elements of an input or output as T, which must have the tensor's element size; empty
  // otherwise.
  template <typename T>
  std::span<T> Input(int index) {
    return View<T>(linnet_input_data(get(), index), input_info(index), InputShape(index));
  }
  template <typename T>
  std::span<const T> Output(int index) {
    return View<const T>(linnet_output_data(get(), index), output_info(index), OutputShape(index));
  }

  // Empty when the run was good.
  std::optional<Error> Run() {
    if (linnet_run(get()) == LINNET_OK) return std::nullopt;
    return *linnet_last_error(get());
  }
  // What the model keeps from run to run is as in a new session.
  void Reset() { linnet_session_reset(get()); }
  void Cancel() { linnet_cancel(get()); }

 private:
  struct Destroy {
    void operator()(linnet_session* session) const { linnet_session_destroy(session); }
  };
  explicit Session(linnet_session* session) : session_(session) {}

  template <typename T, typename Data>
  static std::span<T> View(Data* data, const TensorInfo* info, const Dims& shape) {
    if (info == nullptr) return {};
    int64_t most = 1, elements = 1;
    for (int i = 0; i < info->rank; ++i) most *= info->dims[i];
    for (const int64_t dim : shape.dims()) elements *= dim;
    if (most * static_cast<int64_t>(sizeof(T)) != info->bytes) return {};
    return {static_cast<T*>(data), static_cast<size_t>(elements)};
  }

  std::unique_ptr<linnet_session, Destroy> session_;
};

}  // namespace linnet::inline v0

#endif  // LINNET_LINNET_HPP_
