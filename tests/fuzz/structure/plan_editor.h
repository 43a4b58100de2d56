// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "runtime/core/layout.h"
#include "tests/fuzz/structure/plan_file.h"
#include "tests/fuzz/structure/random.h"

namespace linnet::fuzz {

struct Type {
  schema::DType dtype = schema::DType::Invalid;
  std::vector<int64_t> shape;
  friend bool operator==(const Type&, const Type&) = default;
};

// The size in bytes, saturated; 0 for an invalid type. Layouts that do not exist are dense.
int64_t BytesOf(const Type& type, Layout layout = Layout::kDense);
// The size of `tensor` as a weight with this encoding.
int64_t EncodedBytesOf(const Type& type, schema::Encoding encoding);

// Adds parts to one program of a plan, and finds parts in it. Numbers are indices into the
// program's tensors.
class PlanEditor {
 public:
  // `program` belongs to `file`.
  PlanEditor(PlanFile& file, schema::ProgramT& program, Random& random)
      : file(file), program(program), random(random) {}

  int32_t AddTensor(const Type& type, size_t space = 0);  // placed in its own buffer
  int32_t AddConstant(const Type& type);
  int32_t AddConstant(const Type& type, std::vector<uint8_t> bytes);
  int32_t AddInput(const Type& type);
  void AddOutput(int32_t tensor);
  int32_t AddSymbol(int64_t min, int64_t max);
  // Hostile values, or those of an ordinary model.
  std::vector<uint8_t> RandomBytes(const Type& type);

  Type TypeOf(int32_t tensor) const;
  bool IsTensor(int32_t tensor) const {
    return tensor >= 0 && tensor < static_cast<int32_t>(program.tensors.size());
  }
  // The space that the tensor is in, 0 when it is in none that exists.
  size_t SpaceOf(int32_t tensor) const;
  Layout LayoutOf(size_t space) const { return static_cast<Layout>(program.spaces[space]->layout); }
  // Places the tensor in a new buffer behind all others of its space, or of this one.
  void Move(int32_t tensor) { Move(tensor, SpaceOf(tensor)); }
  void Move(int32_t tensor, size_t space);
  // A tensor that step `before` of region 0 may read: an input, a constant or a result, of `type`
  // if that is given; -1 when there is none.
  int32_t FindReadable(size_t before, const Type* type);
  // The same; when there is none, a new constant or input of the type.
  int32_t FindOrAdd(size_t before, const Type& type);
  std::vector<std::unique_ptr<schema::StepT>>& steps() { return program.regions[0]->steps; }
  // Any step of any region; null when there is none.
  schema::StepT* AnyStep();

  PlanFile& file;
  schema::ProgramT& program;
  Random& random;

 private:
  std::unique_ptr<schema::PortT> NewPort(const char* kind, int32_t tensor);
};

}  // namespace linnet::fuzz
