// SPDX-License-Identifier: Apache-2.0
#include "converter/import/const_value.h"

#include <utility>

#include "converter/graph/tensorflow/dtypes.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

bool CheckValueType(const tf::NodeDef& def, tf::DataType type, Problems* problems) {
  const auto attr = def.attr().find("dtype");
  if (attr == def.attr().end() || attr->second.type() == type) return true;
  problems->Add(
      {def.name(), def.op(),
       fmt::format("attr 'dtype' is {}, but the value is {}", DataTypeString(attr->second.type()),
                   type == tf::DT_INVALID ? "of no type" : DataTypeString(type))});
  return false;
}

// The same for `node.constant`, which a reader has decoded.
bool CheckConstantType(const RawNode& node, Problems* problems) {
  const DType dtype = node.constant->type.dtype;
  const auto attr = node.def.attr().find("dtype");
  return dtype == DType::kInvalid || attr == node.def.attr().end() ||
         ToDType(attr->second.type()) == dtype ||
         CheckValueType(node.def, ToDataType(dtype), problems);
}

}  // namespace

bool IsConst(const tf::NodeDef& def) { return def.op() == "Const" || def.op() == "HostConst"; }

bool TakeConstValue(RawNode* node, int64_t* constant_room, Problems* problems) {
  tf::NodeDef& def = node->def;
  const auto attr = def.mutable_attr()->find("value");
  if (node->constant.has_value()) return CheckConstantType(*node, problems);
  if (!node->value.has_value()) {
    if (attr == def.mutable_attr()->end() || attr->second.value_case() != tf::AttrValue::kTensor) {
      problems->Add(
          {def.name(), def.op(), "has no value", "", absl::StatusCode::kFailedPrecondition});
      return false;
    }
    if (ToDType(attr->second.tensor().dtype()) == DType::kInvalid)  // stays an attribute
      return CheckValueType(def, attr->second.tensor().dtype(), problems);
    node->value.emplace().proto.Swap(attr->second.mutable_tensor());
    attr->second.mutable_tensor()->set_dtype(node->value->proto.dtype());
  } else if (ToDType(node->value->proto.dtype()) == DType::kInvalid &&
             !node->value->content.has_value()) {
    attr->second.mutable_tensor()->Swap(&node->value->proto);
    return CheckValueType(def, attr->second.tensor().dtype(), problems);
  }
  const bool type_fits = CheckValueType(def, node->value->proto.dtype(), problems);
  absl::StatusOr<Constant> value = ConstantFromTensor(*std::move(node->value), constant_room);
  node->value.reset();
  if (!value.ok()) {
    problems->Add(value.status(), def.name(), def.op());
    return false;
  }
  node->constant = *std::move(value);
  return type_fits;
}

void SetConstValue(RawNode* raw, Node* node) {
  if (raw->constant.has_value()) {
    node->set_constant(*std::move(raw->constant));
  } else {
    // An element type that Linnet lacks: the message stays, as string constants need it.
    node->SetAttr("value", raw->def.attr().at("value"));
  }
}

}  // namespace linnet::converter
