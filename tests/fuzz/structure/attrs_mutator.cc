// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/structure/attrs_mutator.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "fuzz/ops_tables.h"

namespace linnet::fuzz {
namespace {

static_assert(sizeof(schema::Range) == 8);

using flatbuffers::TypeCode;
using flatbuffers::TypeTable;
using flatbuffers::voffset_t;

const TypeTable* TableOf(uint16_t op) {
  static const TypeTable* const kTables[] = {
#define LINNET_OP(name, file) schema::name##AttrsTypeTable(),
#include "runtime/ops/op_list.def"
#undef LINNET_OP
  };
  return op < std::size(kTables) ? kTables[op] : nullptr;
}

bool VerifyAttrs(uint16_t op, std::span<const uint8_t> bytes) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  using Verify = bool (*)(flatbuffers::Verifier&);
  static constexpr Verify kVerify[] = {
#define LINNET_OP(name, file) \
  [](flatbuffers::Verifier& v) { return v.VerifyBuffer<schema::name##Attrs>(nullptr); },
#include "runtime/ops/op_list.def"
#undef LINNET_OP
  };
  return op < std::size(kVerify) && kVerify[op](verifier);
}

// A field of any table of ops.fbs: a scalar, a vector of them, or a Range.
struct Field {
  TypeCode code;
  const TypeTable* type = nullptr;  // of an enum or a struct
  bool present = false;
  std::vector<uint8_t> bytes;  // elements

  bool is_vector() const { return code.is_repeating; }
  bool is_struct() const { return code.base_type == flatbuffers::ET_SEQUENCE; }
  size_t element_bytes() const {
    switch (code.base_type) {
      case flatbuffers::ET_BOOL:
      case flatbuffers::ET_UCHAR:
        return 1;
      case flatbuffers::ET_INT:
      case flatbuffers::ET_FLOAT:
        return 4;
      default:  // long, double, Range
        return 8;
    }
  }
};

std::vector<Field> FieldsOf(const TypeTable& table) {
  std::vector<Field> fields(table.num_elems);
  for (size_t i = 0; i < table.num_elems; ++i) {
    fields[i].code = table.type_codes[i];
    if (fields[i].code.sequence_ref >= 0)
      fields[i].type = table.type_refs[fields[i].code.sequence_ref]();
  }
  return fields;
}

voffset_t Slot(size_t field) { return static_cast<voffset_t>(4 + 2 * field); }

void Read(const flatbuffers::Table& table, std::vector<Field>& fields) {
  for (size_t i = 0; i < fields.size(); ++i) {
    Field& field = fields[i];
    const uint8_t* at = table.GetAddressOf(Slot(i));
    if (at == nullptr) continue;
    field.present = true;
    size_t count = 1;
    if (field.is_vector()) {
      at += flatbuffers::ReadScalar<flatbuffers::uoffset_t>(at);
      count = flatbuffers::ReadScalar<flatbuffers::uoffset_t>(at);
      at += sizeof(flatbuffers::uoffset_t);
    }
    field.bytes.assign(at, at + count * field.element_bytes());
  }
}

template <typename T>
T As(const std::vector<uint8_t>& bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), std::min(sizeof(value), bytes.size()));
  return value;
}

void AddInline(flatbuffers::FlatBufferBuilder& fbb, voffset_t slot, const Field& field) {
  if (field.is_struct()) {
    const auto range = As<schema::Range>(field.bytes);
    return fbb.AddStruct(slot, &range);
  }
  switch (field.element_bytes()) {
    case 1:
      return fbb.AddElement<uint8_t>(slot, As<uint8_t>(field.bytes), 0);
    case 4:
      return fbb.AddElement<uint32_t>(slot, As<uint32_t>(field.bytes), 0);
    default:
      return fbb.AddElement<uint64_t>(slot, As<uint64_t>(field.bytes), 0);
  }
}

std::vector<uint8_t> Write(const std::vector<Field>& fields) {
  flatbuffers::FlatBufferBuilder fbb;
  fbb.ForceDefaults(true);
  std::vector<flatbuffers::uoffset_t> vectors(fields.size());
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].present || !fields[i].is_vector()) continue;
    const size_t element = fields[i].element_bytes();
    const size_t count = fields[i].bytes.size() / element;
    fbb.StartVector(count, element);
    fbb.PushBytes(fields[i].bytes.data(), count * element);
    vectors[i] = fbb.EndVector(count);
  }
  const auto start = fbb.StartTable();
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].present) continue;
    if (fields[i].is_vector())
      fbb.AddOffset(Slot(i), flatbuffers::Offset<void>(vectors[i]));
    else
      AddInline(fbb, Slot(i), fields[i]);
  }
  fbb.Finish(flatbuffers::Offset<flatbuffers::Table>(fbb.EndTable(start)));
  return {fbb.GetBufferPointer(), fbb.GetBufferPointer() + fbb.GetSize()};
}

template <typename T>
void Append(T value, std::vector<uint8_t>& bytes) {
  const auto* begin = reinterpret_cast<const uint8_t*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof(value));
}

void AppendElement(const Field& field, int64_t number, Random& random,
                   std::vector<uint8_t>& bytes) {
  switch (field.code.base_type) {
    case flatbuffers::ET_INT:
      return Append(static_cast<int32_t>(number), bytes);
    case flatbuffers::ET_LONG:
      return Append(number, bytes);
    case flatbuffers::ET_FLOAT:
      return Append(static_cast<float>(random.Real()), bytes);
    case flatbuffers::ET_DOUBLE:
      return Append(random.Real(), bytes);
    case flatbuffers::ET_BOOL:
      return Append(static_cast<uint8_t>(random.Below(2)), bytes);
    default:
      // A value of an enum or a dtype; sometimes one that does not exist.
      return Append(static_cast<uint8_t>(
                        random.Below((field.type != nullptr ? field.type->num_elems : 11) + 1)),
                    bytes);
  }
}

// Extents, axes, or a permutation of the axes.
std::vector<int64_t> Numbers(std::span<const int64_t> shape, Random& random) {
  std::vector<int64_t> numbers(shape.begin(), shape.end());
  if (random.OneIn(6)) numbers.resize(random.Below(5), 1);
  switch (random.Below(6)) {
    case 0:
      std::iota(numbers.begin(), numbers.end(), 0);
      break;
    case 1:
      std::fill(numbers.begin(), numbers.end(), random.Below(2));
      break;
    case 2:
      for (int64_t& number : numbers) number = static_cast<int64_t>(random.Below(3));
      break;
    case 3:
      for (int64_t& number : numbers)
        number = static_cast<int64_t>(
            random.Below(static_cast<size_t>(std::clamp<int64_t>(number, 0, 64)) + 1));
      break;
    default:
      break;
  }
  if (random.OneIn(2))
    for (size_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[random.Below(i)]);
  return numbers;
}

void ChangeVector(Field& field, std::span<const int64_t> shape, Random& random) {
  if (random.OneIn(2)) {
    field.bytes.clear();
    for (const int64_t number : Numbers(shape, random))
      AppendElement(field, number, random, field.bytes);
    return;
  }
  const size_t element = field.element_bytes(), count = field.bytes.size() / element;
  if (count == 0 || random.OneIn(8))
    return AppendElement(field, random.Number(), random, field.bytes);
  if (random.OneIn(8)) return field.bytes.resize((count - 1) * element);
  std::vector<uint8_t> bytes;
  AppendElement(field, random.Number(), random, bytes);
  std::copy(bytes.begin(), bytes.end(),
            field.bytes.begin() + static_cast<ptrdiff_t>(random.Below(count) * element));
}

void Change(Field& field, std::span<const int64_t> shape, Random& random) {
  if (field.present && random.OneIn(12)) {
    field.present = false;
    return field.bytes.clear();
  }
  field.present = true;
  if (field.is_vector()) return ChangeVector(field, shape, random);
  field.bytes.clear();
  if (field.is_struct()) {
    Append(static_cast<float>(random.Real()), field.bytes);
    return Append(static_cast<float>(random.Real()), field.bytes);
  }
  AppendElement(field, random.OneIn(3) ? random.Extent() : random.Number(), random, field.bytes);
}

}  // namespace

std::vector<uint8_t> MutateAttrs(uint16_t op, std::span<const uint8_t> attrs,
                                 std::span<const int64_t> shape, Random& random) {
  const TypeTable* table = TableOf(op);
  if (table == nullptr) return {attrs.begin(), attrs.end()};
  std::vector<Field> fields = FieldsOf(*table);
  const std::vector<uint8_t> aligned(attrs.begin(), attrs.end());
  if (VerifyAttrs(op, aligned))
    Read(*flatbuffers::GetRoot<flatbuffers::Table>(aligned.data()), fields);
  for (size_t i = random.Below(3) + 1; i > 0 && !fields.empty(); --i)
    Change(random.Pick(fields), shape, random);
  return Write(fields);
}

std::vector<uint8_t> AttrsOfKind(uint8_t kind) {
  Field field;
  field.code = {flatbuffers::ET_UCHAR, 0, -1};
  field.present = true;
  field.bytes = {kind};
  return Write({field});
}

}  // namespace linnet::fuzz
