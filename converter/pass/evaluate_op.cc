// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/evaluate_op.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include "runtime/backends/portable/portable_op.h"
#include "runtime/core/checked.h"
#include "runtime/core/encoding.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace linnet::converter {
namespace {

using portable::KernelContext;
using portable::PortableOp;

// Sets the CPU to what TensorFlow's constant folding runs under, and back.
class ScopedFlushDenormals {
 public:
#if defined(__SSE2__)
  ScopedFlushDenormals() : saved_(_mm_getcsr()) {
    constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040, kRoundingMask = 0x6000;
    _mm_setcsr((saved_ & ~kRoundingMask) | kFlushToZero | kDenormalsAreZero);
  }
  ~ScopedFlushDenormals() { _mm_setcsr(saved_); }

 private:
  unsigned saved_;
#elif defined(__aarch64__)
  ScopedFlushDenormals() {
    asm volatile("mrs %0, fpcr" : "=r"(saved_));
    constexpr uint64_t kFlushToZero = uint64_t{1} << 24, kRoundingMask = uint64_t{3} << 22;
    asm volatile("msr fpcr, %0" ::"r"((saved_ & ~kRoundingMask) | kFlushToZero));
  }
  ~ScopedFlushDenormals() { asm volatile("msr fpcr, %0" ::"r"(saved_)); }

 private:
  uint64_t saved_;
#elif defined(__arm__) && defined(__ARM_FP)
  ScopedFlushDenormals() {
    asm volatile("vmrs %0, fpscr" : "=r"(saved_));
    constexpr uint32_t kFlushToZero = 1u << 24, kRoundingMask = 3u << 22;
    asm volatile("vmsr fpscr, %0" ::"r"((saved_ & ~kRoundingMask) | kFlushToZero));
  }
  ~ScopedFlushDenormals() { asm volatile("vmsr fpscr, %0" ::"r"(saved_)); }

 private:
  uint32_t saved_;
#endif
};

struct AlignedDelete {
  void operator()(void* p) const { ::operator delete (p, std::align_val_t{64}); }
};
using AlignedBytes = std::unique_ptr<void, AlignedDelete>;
AlignedBytes AllocateAligned(int64_t bytes) {
  return AlignedBytes(bytes > 0 ? ::operator new (bytes, std::align_val_t{64}) : nullptr);
}

absl::Status ToAbsl(const Status& status) {
  switch (status.code()) {
    case StatusCode::kOk:
      return absl::OkStatus();
    case StatusCode::kUnsupported:
      return absl::UnimplementedError(status.what());
    case StatusCode::kBadIndex:
      return absl::OutOfRangeError(status.what());
    default:
      return absl::InvalidArgumentError(status.what());
  }
}

absl::StatusOr<std::vector<TensorType>> Infer(const OpAttrs& attrs,
                                              std::span<const InputInfo> inputs) {
  TensorType types[kMaxOpOutputs];
  const Status status = InferTypes({attrs.kind(), attrs.data(), inputs, {}}, types);
  if (!status.ok()) return ToAbsl(status);
  return std::vector<TensorType>(types, types + FindOp(attrs.kind())->num_outputs);
}

bool SameEncoding(const Constant& a, const Constant& b) {
  return a.encoding == b.encoding && a.affine.scale() == b.affine.scale() &&
         a.affine.min() == b.affine.min();
}

// How many leading inputs are encoded, all alike, and only moved bit for bit into the output; 0
// when the op looks at values.
size_t NumEncodedInputs(OpKind kind, std::span<const Constant> inputs) {
  const uint32_t traits = FindOp(kind)->traits;
  const size_t moved = traits & kMovesElements ? inputs.size() : traits & kPicksElements ? 1 : 0;
  if (moved == 0 || inputs[0].encoding == schema::Encoding::Plain) return 0;
  const auto is_alike = [&](const Constant& input) { return SameEncoding(input, inputs[0]); };
  return std::ranges::all_of(inputs.first(moved), is_alike) ? moved : 0;
}

// The encoded elements of `c` as a plain constant of integers of their width, aligned for it.
Constant AsCarrier(const Constant& c) {
  const int64_t width = DTypeBytes(StoredDType(c.type.dtype, c.encoding));
  const DType carrier = width == 1 ? DType::kUint8 : DType::kUint16;
  Constant raw{{carrier, c.type.shape}, schema::Encoding::Plain, {}, c.bytes, c.owner};
  return raw.Plain();
}

int64_t TensorBytes(const OpInstance& op) {
  int64_t bytes = 0;
  for (const InputInfo& input : op.inputs) bytes = SaturatingAdd(bytes, input.type.bytes());
  for (const TensorType& output : op.outputs) bytes = SaturatingAdd(bytes, output.bytes());
  return bytes;
}

// Is the memory that the kernel works in not too much for this op?
bool FitsWork(int64_t prepared, int64_t scratch, const OpInstance& op) {
  constexpr int kTimes = 4;
  int64_t work = 0;
  return CheckedAdd(prepared, scratch, &work) &&
         work <= std::max(kMaxFoldingWork, SaturatingMul(kTimes, TensorBytes(op)));
}

// Takes the cost of computing `op` from *work, if there is as much.
bool TakeWork(const OpInstance& op, int64_t* work) {
  if (work == nullptr) return true;
  const int64_t cost = SaturatingAdd(FindOp(op.kind)->cost(op).flops, TensorBytes(op));
  if (cost > *work) return false;
  *work -= cost;
  return true;
}

absl::StatusOr<std::vector<Constant>> Run(const OpAttrs& attrs, std::span<const Constant> inputs,
                                          int64_t* work) {
  std::vector<InputInfo> infos;
  std::vector<TensorView> input_views, output_views;
  for (const Constant& input : inputs) {
    // Kernels take void* for both directions and only read inputs.
    void* data = const_cast<std::byte*>(input.bytes.data());
    infos.push_back({input.type, data});
    input_views.push_back({input.type, data});
  }
  absl::StatusOr<std::vector<TensorType>> types = Infer(attrs, infos);
  if (!types.ok()) return types.status();
  const OpInstance op{attrs.kind(), attrs.data(), infos, *types};
  const PortableOp* kernel = portable::FindPortableOp(attrs.kind());
  if (kernel == nullptr) return absl::UnimplementedError("no portable kernel");
  if (const char* reason = kernel->why_unsupported(op)) return absl::UnimplementedError(reason);

  const int64_t prepared_bytes = kernel->prepared_bytes == nullptr ? 0 : kernel->prepared_bytes(op);
  const int64_t scratch_bytes = kernel->scratch_bytes == nullptr ? 0 : kernel->scratch_bytes(op, 1);
  if (!FitsWork(prepared_bytes, scratch_bytes, op))
    return absl::UnimplementedError("takes too much memory to be computed now");
  if (!TakeWork(op, work)) return absl::UnimplementedError("takes too long to be computed now");

  std::vector<Constant> outputs;
  for (const TensorType& type : *types) {
    void* data = nullptr;
    outputs.push_back(Constant::Allocate(type, &data));
    output_views.push_back({type, data});
  }
  KernelContext context{attrs.data(), input_views, output_views};
  const auto prepared = AllocateAligned(prepared_bytes);
  if (prepared != nullptr) kernel->prepare(op, prepared.get());
  context.prepared = prepared.get();
  const auto scratch = AllocateAligned(scratch_bytes);
  context.scratch = scratch.get();
  const Status status = [&] {
    const ScopedFlushDenormals flush;
    return kernel->run(context);
  }();
  if (!status.ok()) return ToAbsl(status);
  return outputs;
}

}  // namespace

absl::StatusOr<std::vector<TensorType>> InferOutputTypes(const OpAttrs& attrs,
                                                         std::span<const Constant> inputs) {
  std::vector<Constant> plain;  // keeps small decoded copies alive
  std::vector<InputInfo> infos;
  plain.reserve(inputs.size());
  for (const Constant& input : inputs) {
    // Rules look at the values of a few integers and scalars only.
    const bool visible = input.type.shape.num_elements() <= 64;
    if (visible) plain.push_back(input.Plain());
    infos.push_back({input.type, visible ? plain.back().bytes.data() : nullptr});
  }
  return Infer(attrs, infos);
}

bool MayFold(std::span<const Constant> inputs, std::span<const TensorType> outputs, int64_t freed,
             int64_t* room) {
  int64_t before = 0, after = 0;
  for (const Constant& input : inputs) before += input.type.bytes();
  for (const TensorType& output : outputs)
    if (!CheckedAdd(after, output.bytes(), &after)) return false;
  if (after > before && after > kMaxFoldedBytes) return false;
  if (room == nullptr || after <= freed) return true;
  if (after - freed > *room) return false;
  *room -= after - freed;
  return true;
}

absl::StatusOr<std::vector<Constant>> EvaluateOp(const OpAttrs& attrs,
                                                 std::span<const Constant> inputs, int64_t* work) {
  const size_t encoded = NumEncodedInputs(attrs.kind(), inputs);
  std::vector<Constant> ready;
  for (size_t i = 0; i < inputs.size(); ++i)
    ready.push_back(i < encoded ? AsCarrier(inputs[i]) : inputs[i].Plain());
  absl::StatusOr<std::vector<Constant>> outputs = Run(attrs, ready, work);
  if (encoded == 0 || !outputs.ok()) return outputs;
  for (Constant& output : *outputs) {
    output.type.dtype = inputs[0].type.dtype;
    output.encoding = inputs[0].encoding;
    output.affine = inputs[0].affine;
  }
  return outputs;
}

}  // namespace linnet::converter
