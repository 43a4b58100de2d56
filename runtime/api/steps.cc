// SPDX-License-Identifier: Apache-2.0
// The steps of a session: what they are, which backend runs them, how long they took.
#include "runtime/api/error.h"
#include "runtime/api/session_handle.h"
#include "runtime/session/step_kind.h"

namespace linnet::api {
namespace {

const char* ChosenBy(const PreparedWeights::Step& step, const PlanStep& plan) {
  if (step.backend < 0 || plan.space != 0) return "plan";
  return step.is_measured ? "profile" : "rules";
}

}  // namespace
}  // namespace linnet::api

extern "C" {

int32_t linnet_session_num_steps(const linnet_session* session) {
  return session == nullptr ? 0 : static_cast<int32_t>(session->program().steps.size());
}

int linnet_session_get_step_info(const linnet_session* session, int32_t index,
                                 linnet_step_info* info) {
  if (session == nullptr || index < 0 || index >= linnet_session_num_steps(session)) return 0;
  const linnet::PreparedWeights& weights = session->current_weights().prepared;
  const linnet::VerifiedStep& step = weights.program().steps[index];
  const linnet::PreparedWeights::Step& prepared = weights.steps()[static_cast<size_t>(index)];
  const linnet::PlanProgram& program = session->program();
  int64_t bytes = 0;
  for (int32_t tensor : step.inputs) bytes += program.BytesOf(program.tensors[tensor]);
  for (int32_t tensor : step.outputs) bytes += program.BytesOf(program.tensors[tensor]);
  const char* backend = prepared.backend < 0
                            ? "control"
                            : weights.backends()[static_cast<size_t>(prepared.backend)]->name();
  const linnet::Layout layout = program.spaces[program.steps[index].space].layout;
  const linnet_status status = linnet::api::Return(
      linnet_step_info{sizeof(linnet_step_info), step.def->name, step.source, backend,
                       prepared.macs, bytes, prepared.flops, linnet::NameOf(layout),
                       linnet::api::ChosenBy(prepared, program.steps[index])},
      info);
  return status == LINNET_OK ? 1 : 0;
}

[[gnu::cold]] int32_t linnet_session_step_kind(const linnet_session* session, int32_t index,
                                               char* buffer, size_t capacity) {
  if (session == nullptr || index < 0 || index >= linnet_session_num_steps(session)) return -1;
  const linnet::PreparedWeights& weights = session->current_weights().prepared;
  const linnet::PlanStep& step = session->program().steps[index];
  linnet::InputInfo inputs[linnet::kMaxKindInputs];
  linnet::TensorType outputs[linnet::kMaxOpOutputs];
  if (step.control != linnet::schema::Control::None || step.inputs.size() > std::size(inputs))
    return 0;
  const linnet::OpInstance op = weights.Instance(index, inputs, outputs);
  if (!weights.HasChoice(index, op)) return 0;
  char kind[linnet::kMaxKindBytes];
  const int32_t length = linnet::WriteStepKind(op, step.attrs, kind);
  if (buffer != nullptr && static_cast<size_t>(length) < capacity)
    __builtin_memcpy(buffer, kind, static_cast<size_t>(length) + 1);
  return length;
}

void linnet_session_enable_profile(linnet_session* session, int on) {
  if (session != nullptr && !session->submitted) session->current()->EnableProfile(on != 0);
}

const int64_t* linnet_session_step_ns(const linnet_session* session) {
  if (session == nullptr || session->submitted) return nullptr;
  const std::span<const int64_t> times = session->current()->step_ns();
  return times.empty() ? nullptr : times.data();
}

linnet_status linnet_session_device_times(const linnet_session* session,
                                          linnet_device_times* times) {
  if (session == nullptr || session->submitted) return LINNET_INVALID_ARGUMENT;
  const linnet::Interpreter& current = *session->current();
  return linnet::api::Return(
      linnet_device_times{sizeof(linnet_device_times), current.num_segments(), current.wait_ns()},
      times);
}

}  // extern "C"
