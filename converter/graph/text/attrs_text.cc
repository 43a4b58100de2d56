// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/text/attrs_text.h"

#include <vector>

#include "flatbuffers/idl.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {

extern const uint8_t kOpsSchema[];  // ops.fbs
extern const size_t kOpsSchemaSize;

namespace {

using flatbuffers::FieldDef;
using flatbuffers::StructDef;
using flatbuffers::Table;

// A parser that has read ops.fbs. It keeps state while it parses, so each thread has its own. It is
// never deleted: FlatBuffers' destructor follows wild pointers where an allocation failed while the
// schema was parsed.
flatbuffers::Parser& OpsParser() {
  static thread_local flatbuffers::Parser* const kParser = [] {
    auto* const parser = new flatbuffers::Parser;
    const std::string schema(reinterpret_cast<const char*>(kOpsSchema), kOpsSchemaSize);
    [[maybe_unused]] const bool parsed = parser->Parse(schema.c_str());
    LINNET_DCHECK(parsed);
    return parser;
  }();
  return *kParser;
}

// FlatBuffers' own text generator prints floats with six digits only, which is why these functions
// walk the schema.
std::string ScalarText(const flatbuffers::Type& type, const uint8_t* at) {
  using namespace flatbuffers;  // BASE_TYPE_..., ReadScalar
  int64_t integer = 0;
  switch (type.base_type) {
    case BASE_TYPE_BOOL:
      return ReadScalar<uint8_t>(at) != 0 ? "true" : "false";
    case BASE_TYPE_FLOAT:
      return fmt::format("{}", ReadScalar<float>(at));
    case BASE_TYPE_DOUBLE:
      return fmt::format("{}", ReadScalar<double>(at));
    case BASE_TYPE_UCHAR:
      integer = ReadScalar<uint8_t>(at);
      break;
    case BASE_TYPE_INT:
      integer = ReadScalar<int32_t>(at);
      break;
    case BASE_TYPE_LONG:
      integer = ReadScalar<int64_t>(at);
      break;
    default:
      LINNET_DCHECK(false && "a field type that no op has used yet");
  }
  if (type.enum_def != nullptr)
    if (const EnumVal* value = type.enum_def->ReverseLookup(integer)) return value->name;
  return std::to_string(integer);
}

std::string StructText(const StructDef& def, const uint8_t* at) {
  std::vector<std::string> fields;
  for (const FieldDef* field : def.fields.vec)
    fields.push_back(fmt::format("{}: {}", field->name,
                                 ScalarText(field->value.type, at + field->value.offset)));
  return fmt::format("{{{}}}", fmt::join(fields, ", "));
}

std::string VectorText(const flatbuffers::Type& type, const Table& table,
                       flatbuffers::voffset_t offset) {
  const auto* bytes = table.GetPointer<const flatbuffers::Vector<uint8_t>*>(offset);
  const flatbuffers::Type element = type.VectorType();
  std::vector<std::string> items;
  for (size_t i = 0; i < bytes->size(); ++i)
    items.push_back(
        ScalarText(element, bytes->Data() + i * flatbuffers::SizeOf(element.base_type)));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string FieldText(const FieldDef& field, const Table& table) {
  const flatbuffers::Type& type = field.value.type;
  if (type.base_type == flatbuffers::BASE_TYPE_VECTOR)
    return VectorText(type, table, field.value.offset);
  const uint8_t* at = table.GetStruct<const uint8_t*>(field.value.offset);
  return type.base_type == flatbuffers::BASE_TYPE_STRUCT ? StructText(*type.struct_def, at)
                                                         : ScalarText(type, at);
}

}  // namespace

std::string AttrsToText(const OpAttrs& attrs) {
  const StructDef* def = OpsParser().structs_.Lookup(AttrsTableName(attrs.kind()));
  LINNET_DCHECK(def != nullptr);
  const std::vector<uint8_t> bytes = EncodeAttrs(attrs.kind(), attrs.data());
  const Table& table = *flatbuffers::GetRoot<Table>(bytes.data());
  std::vector<std::string> fields;
  for (const FieldDef* field : def->fields.vec)
    if (table.CheckField(field->value.offset))
      fields.push_back(fmt::format("{}: {}", field->name, FieldText(*field, table)));
  return fields.empty() ? "" : fmt::format("{{{}}}", fmt::join(fields, ", "));
}

absl::StatusOr<OpAttrs> AttrsFromText(OpKind kind, const std::string& json) {
  flatbuffers::Parser& parser = OpsParser();
  parser.SetRootType(AttrsTableName(kind));
  if (!parser.ParseJson(json.c_str())) return absl::InvalidArgumentError(parser.error_);
  OpAttrs attrs = OpAttrs::Room(kind);
  const std::span<const uint8_t> bytes(parser.builder_.GetBufferPointer(),
                                       parser.builder_.GetSize());
  if (const Status s = FindOp(kind)->decode(bytes, attrs.data()); !s.ok())
    return absl::InvalidArgumentError(s.what());
  return attrs;
}

}  // namespace linnet::converter
