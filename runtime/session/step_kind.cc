// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/step_kind.h"

#include <cstdarg>

#include "runtime/core/dcheck.h"
#include "runtime/core/format.h"
#include "runtime/core/hash.h"

namespace linnet {
namespace {

// Not inlined: time does not matter here, size does.
class Line {
 public:
  explicit Line(std::span<char> to) : to_(to) {}

  [[gnu::cold]] void Add(const char* format, ...) __attribute__((format(printf, 2, 3))) {
    va_list arguments;
    va_start(arguments, format);
    const auto at = static_cast<size_t>(length_);
    length_ += FormatArguments(to_.data() + at, to_.size() - at, format, arguments);
    va_end(arguments);
    LINNET_DCHECK(static_cast<size_t>(length_) < to_.size());
  }

  [[gnu::cold, gnu::noinline]] void AddType(const TensorType& type) {
    Add("%s[", DTypeName(type.dtype));
    const char* comma = "";
    for (const int64_t dim : type.shape) {
      Add("%s%lld", comma, static_cast<long long>(dim));
      comma = ",";
    }
    Add("]");
  }

  int length() const { return length_; }

 private:
  std::span<char> to_;
  int length_ = 0;
};

// An extent has at most 13 digits (kMaxShapeElements) and a comma.
constexpr size_t kMaxTypeBytes = sizeof("const f32[], ") + size_t{kMaxRank} * 14;
// The longest name of an op, an arrow, a hash.
constexpr size_t kMaxRestBytes = 64;
static_assert((kMaxKindInputs + kMaxOpOutputs) * kMaxTypeBytes + kMaxRestBytes <= kMaxKindBytes);

}  // namespace

int WriteStepKind(const OpInstance& op, std::span<const uint8_t> attrs, std::span<char> to) {
  to[0] = '\0';
  if (op.inputs.size() > kMaxKindInputs) return 0;
  Line line(to);
  line.Add("%s(", FindOp(op.kind)->name);
  const char* comma = "";
  for (const InputInfo& input : op.inputs) {
    line.Add("%s%s", comma, input.is_constant ? "const " : "");
    line.AddType(input.type);
    comma = ", ";
  }
  line.Add(") -> ");
  comma = "";
  for (const TensorType& output : op.outputs) {
    line.Add("%s", comma);
    line.AddType(output);
    comma = ", ";
  }
  line.Add(" {%016llx}", static_cast<unsigned long long>(HashBytes(std::as_bytes(attrs))));
  return line.length();
}

}  // namespace linnet
