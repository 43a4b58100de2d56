// SPDX-License-Identifier: Apache-2.0
// What linnet.js calls, besides functions of linnet.h that CMakeLists.txt exports as they are. An
// instance of the module has one plan, and its memory goes away with the instance.
#include <linnet/linnet.h>

#include <cstddef>
#include <cstdlib>

// linnet.js reads these structs where they lie in memory.
static_assert(offsetof(linnet_error, text) == 16);
static_assert(offsetof(linnet_tensor_info, name) == 0 && offsetof(linnet_tensor_info, dtype) == 8);
static_assert(offsetof(linnet_tensor_info, rank) == 12 && offsetof(linnet_tensor_info, dims) == 16);
static_assert(offsetof(linnet_tensor_info, bytes) == 80);
static_assert(offsetof(linnet_tensor_info, varies) == 88);

#define LINNET_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace {

linnet_error last_error;
int64_t shape[LINNET_MAX_RANK];

}  // namespace

// Memory for the plan's bytes; null when there is none. Never freed.
LINNET_EXPORT(allocate) void* Allocate(size_t bytes) {
  void* memory = nullptr;
  return posix_memalign(&memory, 64, bytes) == 0 ? memory : nullptr;
}

// Why open or create returned null.
LINNET_EXPORT(last_error) const linnet_error* LastError() { return &last_error; }

// Where a shape is written before linnet_session_set_input_shape, and by *_shape.
LINNET_EXPORT(shape) int64_t* Shape() { return shape; }

// Opens the plan in memory that `allocate` returned. Nobody else writes there, so its structure
// need not be copied.
LINNET_EXPORT(open) linnet_plan* Open(const void* data, size_t bytes) {
  linnet_open_options options = {};
  options.struct_size = sizeof(options);
  options.flags = LINNET_OPEN_IN_PLACE;
  linnet_plan* plan = nullptr;
  linnet_plan_open_memory(data, bytes, &options, &plan, &last_error);
  return plan;
}

LINNET_EXPORT(create)
linnet_session* Create(linnet_plan* plan, int32_t signature, size_t max_bytes) {
  linnet_session_options options = {};
  options.struct_size = sizeof(options);
  options.signature = linnet_plan_signature(plan, signature);
  options.max_bytes = max_bytes;
  linnet_session* session = nullptr;
  linnet_session_create(plan, &options, &session, &last_error);
  return session;
}

// A page has no environment. In the place of the C library's, which would ask the host for one.
extern "C" char* getenv(const char*) { return nullptr; }
