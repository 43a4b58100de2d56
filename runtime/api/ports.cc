// SPDX-License-Identifier: Apache-2.0
// A session's inputs and outputs: what they are, their shapes, their memory.
#include <algorithm>

#include "runtime/api/error.h"
#include "runtime/api/session_handle.h"
#include "runtime/core/tensor_name.h"

namespace linnet::api {
namespace {

// Empty when the session is NULL.
std::span<const PlanPort> Inputs(const linnet_session* session) {
  return session == nullptr ? std::span<const PlanPort>() : session->program().inputs;
}

std::span<const PlanPort> Outputs(const linnet_session* session) {
  return session == nullptr ? std::span<const PlanPort>() : session->program().outputs;
}

int32_t Find(std::span<const PlanPort> ports, const char* name) {
  if (name == nullptr) return -1;
  for (size_t i = 0; i < ports.size(); ++i)
    if (SameTensor(ports[i].name, name) || SameTensor(ports[i].source, name))
      return static_cast<int32_t>(i);
  return -1;
}

int32_t CopyShape(const TensorType& type, int64_t* dims) {
  std::copy(type.shape.begin(), type.shape.end(), dims);
  return type.shape.rank();
}

bool InRange(int32_t index, size_t count) {
  return index >= 0 && static_cast<size_t>(index) < count;
}

// May the caller use the memory and shape of this input or output now? Not during a submitted run.
bool IsFree(const linnet_session* session, int32_t index, std::span<const PlanPort> ports) {
  return InRange(index, ports.size()) && !session->submitted;
}

int64_t Clamped(size_t bytes) { return static_cast<int64_t>(std::min<uint64_t>(bytes, INT64_MAX)); }

// Reads the caller's struct and checks everything that does not depend on the tensor.
Status Read(const linnet_buffer* buffer, BoundMemory* memory) {
  if (buffer == nullptr) return {};  // back to the session's own memory
  const linnet_buffer given = Defaulted(buffer);
  if (given.kind != LINNET_BUFFER_POINTER)
    return {StatusCode::kUnsupported, "the buffer is of a kind that this library does not know"};
  if (given.format != LINNET_FORMAT_TENSOR)
    return {StatusCode::kUnsupported, "the buffer has a format that this library does not know"};
  if (given.address == nullptr) return {StatusCode::kInvalidArgument, "the buffer has no address"};
  *memory = {given.address, Clamped(given.bytes), Clamped(given.pitch)};
  return {};
}

linnet_buffer PointerTo(void* data, size_t bytes) {
  linnet_buffer buffer{};
  buffer.struct_size = sizeof(buffer);
  buffer.kind = LINNET_BUFFER_POINTER;
  buffer.format = LINNET_FORMAT_TENSOR;
  buffer.address = data;
  buffer.bytes = bytes;
  return buffer;
}

Status BindInput(linnet_session* session, int32_t index, const linnet_buffer* buffer) {
  if (!InRange(index, Inputs(session).size()))
    return {StatusCode::kInvalidArgument, "no such input"};
  if (session->submitted) return kSubmitted;
  BoundMemory memory;
  LINNET_RETURN_IF_ERROR(Read(buffer, &memory));
  return session->current()->BindInput(index, memory);
}

Status BindOutput(linnet_session* session, int32_t index, const linnet_buffer* buffer) {
  if (!InRange(index, Outputs(session).size()))
    return {StatusCode::kInvalidArgument, "no such output"};
  if (session->submitted) return kSubmitted;
  BoundMemory memory;
  LINNET_RETURN_IF_ERROR(Read(buffer, &memory));
  return session->current()->BindOutput(index, memory);
}

Status SetInputShape(linnet_session* session, int32_t index, const int64_t* dims, int32_t rank) {
  if (!InRange(index, Inputs(session).size()) || rank < 0 || (dims == nullptr && rank > 0))
    return {StatusCode::kInvalidArgument, "no such input, or no shape"};
  if (session->submitted) return kSubmitted;
  return session->current()->SetInputShape(index, {dims, static_cast<size_t>(rank)});
}

}  // namespace
}  // namespace linnet::api

extern "C" {

int32_t linnet_session_num_inputs(const linnet_session* session) {
  return static_cast<int32_t>(linnet::api::Inputs(session).size());
}

int32_t linnet_session_num_outputs(const linnet_session* session) {
  return static_cast<int32_t>(linnet::api::Outputs(session).size());
}

const linnet_tensor_info* linnet_session_input_info(const linnet_session* session, int32_t index) {
  if (session == nullptr) return nullptr;
  return linnet_plan_input_info(session->plan, session->weights->signature, index);
}

const linnet_tensor_info* linnet_session_output_info(const linnet_session* session, int32_t index) {
  if (session == nullptr) return nullptr;
  return linnet_plan_output_info(session->plan, session->weights->signature, index);
}

int32_t linnet_session_find_input(const linnet_session* session, const char* name) {
  return linnet::api::Find(linnet::api::Inputs(session), name);
}

int32_t linnet_session_find_output(const linnet_session* session, const char* name) {
  return linnet::api::Find(linnet::api::Outputs(session), name);
}

void* linnet_session_input_data(linnet_session* session, int32_t index) {
  if (!linnet::api::IsFree(session, index, linnet::api::Inputs(session))) return nullptr;
  return session->current()->input_data(index);
}

const void* linnet_session_output_data(const linnet_session* session, int32_t index) {
  if (!linnet::api::IsFree(session, index, linnet::api::Outputs(session))) return nullptr;
  return session->current()->output_data(index);
}

linnet_status linnet_session_set_input_shape(linnet_session* session, int32_t index,
                                             const int64_t* dims, int32_t rank) {
  return linnet::api::Report(linnet::api::SetInputShape(session, index, dims, rank),
                             linnet::api::LastError(session));
}

int32_t linnet_session_input_shape(const linnet_session* session, int32_t index, int64_t* dims) {
  if (!linnet::api::IsFree(session, index, linnet::api::Inputs(session)) || dims == nullptr)
    return -1;
  return linnet::api::CopyShape(session->current()->input_type(index), dims);
}

int32_t linnet_session_output_shape(const linnet_session* session, int32_t index, int64_t* dims) {
  if (!linnet::api::IsFree(session, index, linnet::api::Outputs(session)) || dims == nullptr)
    return -1;
  return linnet::api::CopyShape(session->current()->output_type(index), dims);
}

linnet_status linnet_session_bind_input(linnet_session* session, int32_t index, const void* data,
                                        size_t bytes) {
  const linnet_buffer buffer = linnet::api::PointerTo(const_cast<void*>(data), bytes);
  return linnet_session_bind_input_buffer(session, index, data == nullptr ? nullptr : &buffer);
}

linnet_status linnet_session_bind_output(linnet_session* session, int32_t index, void* data,
                                         size_t bytes) {
  const linnet_buffer buffer = linnet::api::PointerTo(data, bytes);
  return linnet_session_bind_output_buffer(session, index, data == nullptr ? nullptr : &buffer);
}

linnet_status linnet_session_bind_input_buffer(linnet_session* session, int32_t index,
                                               const linnet_buffer* buffer) {
  return linnet::api::Report(linnet::api::BindInput(session, index, buffer),
                             linnet::api::LastError(session));
}

linnet_status linnet_session_bind_output_buffer(linnet_session* session, int32_t index,
                                                const linnet_buffer* buffer) {
  return linnet::api::Report(linnet::api::BindOutput(session, index, buffer),
                             linnet::api::LastError(session));
}

}  // extern "C"
