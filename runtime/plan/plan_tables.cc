// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/plan_tables.h"

namespace linnet::plan_tables {

Status Bad(Diagnostic* diagnostic, const char* what, int64_t program, const char* kind,
           int64_t index) {
  if (diagnostic != nullptr)
    diagnostic->Format("program %lld, %s %lld: %s", static_cast<long long>(program), kind,
                       static_cast<long long>(index), what);
  return {StatusCode::kInvalidPlan, what};
}

bool ReadType(schema::DType dtype, const flatbuffers::Vector<int64_t>* shape, TensorType* type,
              int64_t* bytes) {
  type->dtype = static_cast<DType>(dtype);
  for (uint32_t d = 0; d < Size(shape); ++d) type->shape.Append(shape->Get(d));
  return type->shape.NumElementsChecked(bytes) &&
         CheckedMul(*bytes, DTypeBytes(type->dtype), bytes);
}

}  // namespace linnet::plan_tables
