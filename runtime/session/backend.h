// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/core/parallel.h"
#include "runtime/core/region.h"
#include "runtime/core/status.h"
#include "runtime/ops/op_def.h"

struct pthreadpool;

// The interface between sessions and backends. A backend turns steps into runnable objects in three
// stages:
//   Pack    once per plan: packs the step's weights, which all sessions share
//   Create  once per session: fixes shapes, allocates the step's state, returns its workspace size
//   Setup   once per session, and again when the caller binds other buffers: fixes addresses
// and then Run, which never allocates.
namespace linnet {

// The threads of one session. `parallel` is always usable; `pool` is the same threads when the
// caller lent a pthreadpool, else null.
struct Threads {
  ::pthreadpool* pool = nullptr;
  Parallel parallel;
};

// A session's tensors on a device whose memory the host cannot access. The address of a tensor is
// base() plus its offset; only the backend has to understand it.
class DeviceMemory {
 public:
  virtual std::byte* base() const = 0;
  // Copy between the host's memory and an address here, in order with the device's steps: CopyOut
  // returns what the steps before it wrote. kDeviceLost. No allocation.
  virtual Status CopyIn(void* to, const void* from, int64_t bytes) = 0;
  virtual Status CopyOut(void* to, const void* from, int64_t bytes) = 0;
  virtual void Destroy() = 0;

 protected:
  ~DeviceMemory() = default;
};

// One step as a backend sees it. op.inputs[i].value points to the plain (not packed), 64-byte
// aligned value of a constant input, followed by at least 16 readable bytes. It is valid during
// Pack, and after that only for inputs for which PacksInput returns false. op.attrs is valid as
// long as the plan, the spans of inputs and outputs only during the call.
struct StepContext {
  int32_t index = kNoStep;
  OpInstance op;
  DeviceMemory* memory = nullptr;  // in Create, the memory of its tensors; null for the host's
};

// Addresses of a step's data, one per input and output, in order. For a step on a device they are
// in its DeviceMemory; those of constants are then meaningless, because the device has packed them.
struct StepBuffers {
  std::span<void* const> inputs;
  std::span<void* const> outputs;
  void* workspace = nullptr;  // at least as many bytes as Create asked for; shared by all steps
};

// A step that is ready to run in one session, in memory of the session's region.
class RunnableStep {
 public:
  // Addresses may change between runs, never during one.
  virtual Status Setup(const StepBuffers& buffers) = 0;
  // Changes the shapes from now on. `op` differs from the one that Create got in the extents of its
  // types and in the contents of attrs, which are at the same address. Nothing needs more memory
  // than in Create. Only called when Backend::can_resize.
  virtual Status Resize(const OpInstance& op) {
    (void)op;
    return {StatusCode::kInternal, "the backend cannot change a step's shapes"};
  }
  // kBadIndex, kDeviceLost; kCancelled when Threads::parallel asked the run to stop. Allocates
  // nothing and takes no lock except the pool's. A step on a device may still be running
  // afterwards.
  virtual Status Run() = 0;
  // Frees what the step holds outside its region. Called instead of the destructor; must not
  // allocate.
  virtual void Destroy() = 0;

 protected:
  ~RunnableStep() = default;
};

// What a backend keeps for one set of prepared weights in addition to the packed weights of each
// step, such as a weights cache.
class PackedWeights {
 public:
  // Called after the last Pack and before the first Create.
  virtual Status Finalize() { return {}; }
  virtual void Destroy() = 0;

 protected:
  ~PackedWeights() = default;
};

class Backend {
 public:
  virtual const char* name() const = 0;  // "xnnpack", "portable"
  // The library of kernels that it uses, with its version; null when the kernels are Linnet's.
  virtual const char* library() const { return nullptr; }
  // The product name of this machine's CPU; null for a backend that does not know it.
  virtual const char* processor() const { return nullptr; }
  // The device whose steps it runs, by its name in plans; "" for steps in the host's memory. Such a
  // device packs all constants.
  virtual const char* device() const { return ""; }
  // A device's memory for one session; the object lives in `region`. kNoMemory.
  virtual Status NewMemory(int64_t bytes, Region& region, DeviceMemory** out) const {
    (void)bytes, (void)region, (void)out;
    return {StatusCode::kInternal, "the backend has no memory of its own"};
  }
  // nullptr when `op` can run here, else a short reason. Depends on nothing but `op` and the
  // machine.
  virtual const char* WhyUnsupported(const OpInstance& op) const = 0;
  // True when its steps implement Resize. Only such backends get steps whose extents vary.
  virtual bool can_resize() const { return false; }
  // Starts what the whole process shares (xnn_initialize). kUnsupported when the backend does not
  // run on this machine: sessions then do without it.
  virtual Status Initialize() const { return {}; }
  // Estimated bytes that the backend holds outside all regions, in the whole process; 0 when all
  // its memory comes from regions.
  virtual int64_t heap_bytes() const { return 0; }

  // Makes an object for one set of prepared weights, in `region`; *out may stay null.
  virtual Status NewPackedWeights(Region& region, PackedWeights** out) const {
    (void)region;
    *out = nullptr;
    return {};
  }
  // True when Run reads constant input `i` only in packed form, so that its plain form may be
  // freed.
  virtual bool PacksInput(const OpInstance& op, int i) const {
    (void)op, (void)i;
    return false;
  }
  // Packs the step's constants into `region`. Every Create of the step gets *packed, which may be
  // null. Only the shapes of constants may be used: other extents may differ in Create.
  virtual Status Pack(const StepContext& step, PackedWeights* weights, Region& region,
                      void** packed) const {
    (void)step, (void)weights, (void)region;
    *packed = nullptr;
    return {};
  }
  // Makes the runnable step. *workspace_bytes is the temporary memory that one Run needs. When
  // extents vary, each of them is given at its own maximum, a combination that the op's shape rule
  // may not even allow; the workspace must suffice for all smaller ones, which Resize sets later.
  virtual Status Create(const StepContext& step, PackedWeights* weights, void* packed,
                        const Threads& threads, Region& region, RunnableStep** out,
                        int64_t* workspace_bytes) const = 0;

 protected:
  ~Backend() = default;
};

}  // namespace linnet
