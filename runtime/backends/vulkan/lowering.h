// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/backends/vulkan/shader.h"
#include "runtime/backends/vulkan/tile.h"
#include "runtime/core/dcheck.h"
#include "runtime/core/layout.h"
#include "runtime/ops/op_def.h"

// How an op becomes dispatches of compute shaders. Pure functions of types, attributes and
// constants: nothing here knows Vulkan's API, so the converter links it too and gets the same
// answers as every device.
namespace linnet::vulkan {

// What every device that Vulkan allows can do, and so what every shader has to live with
// (Vulkan 1.1, required limits).
inline constexpr int kMaxOperands = 4;                        // maxPerStageDescriptorStorageBuffers
inline constexpr int kMaxPushBytes = 128;                     // maxPushConstantsSize
inline constexpr int64_t kMaxWindowBytes = int64_t{1} << 27;  // maxStorageBufferRange
inline constexpr int kWindowAlignment = kRows4Alignment;      // minStorageBufferOffsetAlignment
inline constexpr int kWorkgroupSize =
    64;  // threads, in one dimension; a multiple of all subgroup sizes
inline constexpr int kMaxConstants = 28;   // specialisation constants of a shader (ours)
inline constexpr int kMaxDispatches = 32;  // of one step, one for each input of a Concat (ours)
inline constexpr int kMaxShaderRank =
    6;  // of what shaders address, once dimensions are merged (ours)

// A tensor as rows of quads (four elements each; the layouts kRows4 and
// kRows4Half). A scalar is one row of one
// element.
struct Rows {
  int64_t count = 1;    // product of all dimensions but the last
  int64_t columns = 1;  // elements of a row without padding
  int64_t quads = 1;    // of a row
};
inline Rows RowsOf(const TensorType& type) {
  const int rank = type.shape.rank();
  if (rank == 0) return {};
  return {type.shape.Product(0, rank - 1), type.shape.back(),
          RowElements(Layout::kRows4, type.shape.back()) / 4};
}

// What a dispatch reads or writes: a tensor of the step or part of it, or other memory. Tensors
// start at multiples of kWindowAlignment and have the layout kRows4 or kRows4Half.
struct Operand {
  enum class Kind : uint8_t {
    kInput,    // input `index`; a constant input is read from the packed weights
    kOutput,   // output `index`
    kPacked,   // what `pack` wrote, `index` is 0
    kScratch,  // memory of the step, see ScratchForm; `index` is 0
    kStatus,   // a word of this dispatch's own (Dispatch::bad_index), `index` is 0
  };
  Kind kind = Kind::kInput;
  uint8_t index = 0;
  bool written = false;
  int64_t offset = 0;  // bytes from the start, a multiple of kWindowAlignment
  int64_t bytes = -1;  // -1: to the end of the tensor
};
inline Operand Input(int index) { return {Operand::Kind::kInput, static_cast<uint8_t>(index)}; }
inline Operand Output(int index) {
  return {Operand::Kind::kOutput, static_cast<uint8_t>(index), true};
}
inline Operand Packed() { return {Operand::Kind::kPacked}; }
inline Operand Scratch(int64_t offset, int64_t bytes, bool written) {
  return {Operand::Kind::kScratch, 0, written, offset, bytes};
}
inline Operand StatusWord() { return {Operand::Kind::kStatus, 0, true}; }

// One execution of a shader. `operands[i]` is binding i.
struct Dispatch {
  Shader shader{};
  ShaderMode mode = ShaderMode::k_f32;  // set by LowerStep, then by devices for k_f16a
  int num_operands = 0;
  Operand operands[kMaxOperands];
  // Values of the shader's specialisation constants, from constant_id 1 (0 is the workgroup's
  // width).
  int num_constants = 0;
  uint32_t constants[kMaxConstants] = {};
  int push_bytes = 0;
  alignas(8) std::byte push[kMaxPushBytes] = {};
  // With an operand StatusWord(), which is 0 before each run: where the shader has made another
  // number of it, the run fails with kBadIndex and this message, at this step. Later dispatches run
  // nevertheless, and have to live with the data.
  const char* bad_index = nullptr;
  // Threads that have work: the shader's LinearId() takes each value below this, and some above. In
  // [1, 2^32).
  int64_t threads = 0;
  // A shader in which the threads of a workgroup work together wants a multiple of kWorkgroupSize.

  void Bind(Operand operand) {
    LINNET_DCHECK(num_operands < kMaxOperands);
    operands[num_operands++] = operand;
  }
  void Specialise(uint32_t constant) {
    LINNET_DCHECK(num_constants < kMaxConstants);
    constants[num_constants++] = constant;
  }
  // `values` is a struct of runtime/backends/vulkan/abi, which the shader includes too.
  template <typename T>
  void Push(const T& values) {
    static_assert(sizeof(T) <= kMaxPushBytes);
    push_bytes = sizeof(T);
    __builtin_memcpy(push, &values, sizeof(T));
  }
};

// The dispatches of one step, in order. The backend puts barriers between those that need one.
class Dispatches {
 public:
  // For a device that runs these tiles fast. They choose between shaders that compute the same: no
  // bytes of the plan or of packed constants depend on them.
  explicit Dispatches(const Tiles& tiles) : tiles_(tiles) {}

  const Tiles& tiles() const { return tiles_; }
  // A new dispatch, to fill in.
  Dispatch& Add(Shader shader, int64_t threads) {
    LINNET_DCHECK(count_ < kMaxDispatches);
    Dispatch& dispatch = items_[count_++];
    dispatch = {};
    dispatch.shader = shader;
    dispatch.threads = threads;
    return dispatch;
  }
  // Of all of them but those that look at indices, which are integers always.
  void SetMode(ShaderMode mode) {
    for (int i = 0; i < count_; ++i)
      if (items_[i].shader != Shader::k_index_check) items_[i].mode = mode;
  }
  int size() const { return count_; }
  Dispatch& operator[](int i) { return items_[i]; }
  const Dispatch& operator[](int i) const { return items_[i]; }

 private:
  const Tiles tiles_;
  Dispatch items_[kMaxDispatches];
  int count_ = 0;
};

// How an op runs in memory that the plan offers beside its tensors, for what it computes in
// between. The offer comes from a converter of any version: where it is less than scratch_bytes, or
// there is none, the op runs as without this form.
struct ScratchForm {
  // Bytes of scratch memory, of which nothing is known when the step begins and nothing is kept
  // when it ends; 0 where the op has no such form. At most kMaxWindowBytes.
  int64_t (*scratch_bytes)(const OpInstance& op, Layout layout);
  // As those of OpLowering. packed_bytes is at most kMaxWindowBytes.
  void (*lower)(const OpInstance& op, Layout layout, Dispatches& dispatches);
  int64_t (*packed_bytes)(const OpInstance& op, Layout layout);
  void (*pack)(const OpInstance& op, Layout layout, std::byte* to);
};

// How one op runs on Vulkan; one constant per op, k<Name>Lowering, in ops/<op>.cc.
struct OpLowering {
  // nullptr when Vulkan can run `op`, else a short reason. The values of constants may be unknown.
  // The checks that are the same for all ops (WhyUnsupported in support.cc: dtypes that the device
  // has no form for, sizes of windows, i64) have passed.
  const char* (*why_unsupported)(const OpInstance& op);
  // REQUIRES: why_unsupported(op) == nullptr, and no output is empty (such steps have no
  // dispatches).
  void (*lower)(const OpInstance& op, Dispatches& dispatches);
  // Bytes of the op's own form of its constants, which `pack` writes and Packed() names. Without
  // these two, each constant input is packed like a tensor. `layout` says how large floats are.
  int64_t (*packed_bytes)(const OpInstance& op, Layout layout) = nullptr;
  // Writes each of the packed_bytes. `to` may be memory that is slow to read. Values of constants
  // are known.
  void (*pack)(const OpInstance& op, Layout layout, std::byte* to) = nullptr;
  // nullptr, or what is wrong with the values of constants, which are known, so that each run would
  // fail with kBadIndex. Pack says so, and no run has to look at them.
  const char* (*why_bad_constants)(const OpInstance& op) = nullptr;
  // Only beside packed_bytes and pack.
  const ScratchForm* with_scratch = nullptr;
  // Of an i64 the device keeps an i32 (layout.h), so only these tensors may be i64: the input whose
  // elements are indices, for which the nearest i32 does, and output 0 if it has positions, which
  // fit.
  int index_input = -1;
  bool makes_positions = false;
};

// By OpKind, as kLinkedOps is (runtime/ops/linked_ops.h).
extern const OpLowering* const kLinkedLowerings[];

// The lowering of an op; nullptr for ops without one, or which this program does not contain.
const OpLowering* FindLowering(OpKind kind);

// The form in which a step runs that is offered so many bytes; nullptr: without scratch memory.
const ScratchForm* FindScratchForm(const OpInstance& op, Layout layout, int64_t scratch_bytes);

// An op's own form of its constants, as OpLowering has it or, where the step runs in scratch
// memory, ScratchForm; null functions: each constant input is packed like a tensor.
struct PackedForm {
  int64_t (*bytes)(const OpInstance& op, Layout layout) = nullptr;
  void (*pack)(const OpInstance& op, Layout layout, std::byte* to) = nullptr;
};
PackedForm FindPackedForm(const OpInstance& op, Layout layout, int64_t scratch_bytes);

// The dispatches of a step whose tensors have `layout`, and to which the plan offers
// `scratch_bytes`; nothing else calls OpLowering::lower. REQUIRES: as for that.
void LowerStep(const OpInstance& op, Layout layout, int64_t scratch_bytes, Dispatches& dispatches);

#define LINNET_LOWERING(name, file) extern const OpLowering k##name##Lowering;
#include "runtime/backends/vulkan/lowerings.def"
#undef LINNET_LOWERING

}  // namespace linnet::vulkan
