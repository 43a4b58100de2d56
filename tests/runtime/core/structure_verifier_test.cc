// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/structure_verifier.h"

#include <gtest/gtest.h>

#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/plan/file_header.h"
#include "schema/ops_generated.h"
#include "schema/plan_generated.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/session/placed_plan.h"

namespace linnet {
namespace {

// At an address that is aligned for a FlatBuffer.
using Structure = std::vector<uint64_t>;

std::span<uint8_t> BytesOf(Structure& structure, size_t bytes) {
  return {reinterpret_cast<uint8_t*>(structure.data()), bytes};
}

bool Generated(std::span<const uint8_t> bytes) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  return schema::VerifyPlanBuffer(verifier);
}

bool Verify(std::span<const uint8_t> bytes) {
  return StructureVerifier(bytes).Verify(kTableLayout<schema::Plan>, schema::PlanIdentifier());
}

// Everything that the generated verifier refuses is refused here too: no field was forgotten.
TEST(StructureVerifier, RefusesWhatGeneratedCodeRefuses) {
  const std::vector<std::byte> plans[] = {
      SmallPlan(), VaryingPlan(), LoopPlan(),
      VariantsPlan("x = arg f32[4] a = Unary(x) {kind: Exp} out = ret(a)"),
      PlacedPlan(Layout::kRows4,
                 "x = arg f32[4] a = Unary(x) {kind: Exp} b = Unary(x) {kind: Neg} out = ret(a) "
                 "two = ret(b)")};
  for (const std::vector<std::byte>& plan : plans) {
    FileHeader header;
    std::memcpy(&header, plan.data(), sizeof(header));
    Structure structure(header.structure_bytes / 8 + 1);
    const std::span<uint8_t> bytes = BytesOf(structure, header.structure_bytes);
    std::memcpy(bytes.data(), plan.data() + header.structure_offset, bytes.size());
    EXPECT_TRUE(Generated(bytes));
    EXPECT_TRUE(Verify(bytes));
    int refused = 0;
    for (uint8_t& byte : bytes) {
      const uint8_t was = byte;
      for (const int value : {was + 4, was - 1, was ^ 0x80, 0, 0xff}) {
        byte = static_cast<uint8_t>(value);
        if (Generated(bytes)) continue;
        ++refused;
        EXPECT_FALSE(Verify(bytes)) << "byte " << &byte - bytes.data();
      }
      byte = was;
    }
    EXPECT_GT(refused, 100);
    for (const size_t size : {size_t{0}, size_t{3}, size_t{8}, bytes.size() / 2})
      EXPECT_FALSE(Verify(bytes.first(size)));
  }
}

// A list that many tables name would be walked for each of them, and a string copied for each.
TEST(StructureVerifier, RefusesSharedListsAndStrings) {
  for (const auto& [steps, is_shared] :
       {std::pair(size_t{1}, false), {size_t{100}, false}, {size_t{1}, true}}) {
    flatbuffers::FlatBufferBuilder fbb;
    std::vector strings(100, fbb.CreateString("a name"));
    for (auto& string : strings)
      if (!is_shared) string = fbb.CreateString("a name");
    const auto names = fbb.CreateVector(strings);
    const auto step = schema::CreateStep(fbb, schema::OpKind::Unary, 0, 0, 0, names);
    const auto region = schema::CreateRegion(fbb, 0, 0, fbb.CreateVector(std::vector(steps, step)));
    const auto program =
        schema::CreateProgram(fbb, 0, 0, 0, 0, 0, fbb.CreateVector(std::vector(1, region)));
    schema::FinishPlanBuffer(
        fbb, schema::CreatePlan(fbb, 0, 0, 0, 0, 0, fbb.CreateVector(std::vector(1, program))));
    const std::span<const uint8_t> bytes(fbb.GetBufferPointer(), fbb.GetSize());
    EXPECT_TRUE(Generated(bytes));
    EXPECT_EQ(Verify(bytes), steps == 1 && !is_shared);
  }
}

// So are lists of numbers: of 100 tensors, all may have the same shape, but not the same list.
TEST(StructureVerifier, RefusesSharedShapes) {
  for (const bool is_shared : {false, true}) {
    flatbuffers::FlatBufferBuilder fbb;
    const std::vector<int64_t> dims(100, 1);
    const auto shared = fbb.CreateVector(dims);
    std::vector<flatbuffers::Offset<schema::Tensor>> tensors;
    for (int i = 0; i < 100; ++i) {
      const auto shape = is_shared ? shared : fbb.CreateVector(dims);
      tensors.push_back(schema::CreateTensor(fbb, schema::DType::Float32, shape));
    }
    const auto program = schema::CreateProgram(fbb, 0, 0, 0, fbb.CreateVector(tensors));
    schema::FinishPlanBuffer(
        fbb, schema::CreatePlan(fbb, 0, 0, 0, 0, 0, fbb.CreateVector(std::vector(1, program))));
    const std::span<const uint8_t> bytes(fbb.GetBufferPointer(), fbb.GetSize());
    EXPECT_TRUE(Generated(bytes));
    EXPECT_EQ(Verify(bytes), !is_shared);
  }
}

// What the parameter of a function that creates a table needs so that the field is written.
template <typename T>
T Filled(flatbuffers::FlatBufferBuilder& fbb) {
  if constexpr (std::is_pointer_v<T>) {
    static const std::remove_pointer_t<T> zeros{};
    return &zeros;
  } else if constexpr (std::is_class_v<T>) {
    return T(fbb.CreateString("of any type").o);
  } else {
    return T{};
  }
}

template <typename Table, typename... Fields>
void ExpectNumberedFromZero(flatbuffers::Offset<Table> (*create)(flatbuffers::FlatBufferBuilder&,
                                                                 Fields...)) {
  flatbuffers::FlatBufferBuilder fbb;
  fbb.ForceDefaults(true);
  fbb.Finish(create(fbb, Filled<Fields>(fbb)...));
  const auto* table = flatbuffers::GetRoot<flatbuffers::Table>(fbb.GetBufferPointer());
  const auto bytes = flatbuffers::ReadScalar<flatbuffers::voffset_t>(table->GetVTable());
  EXPECT_EQ(bytes, flatbuffers::FieldIndexToOffset(sizeof...(Fields)));
}

// Layouts rely on it: a deprecated field, which no function creates, would shift those after it.
TEST(TableLayout, FieldsAreNumberedFromZero) {
#define EXPECT_NUMBERED(table) ExpectNumberedFromZero(schema::table::Traits::Create)
  EXPECT_NUMBERED(Plan);
  EXPECT_NUMBERED(Weight);
  EXPECT_NUMBERED(State);
  EXPECT_NUMBERED(Symbol);
  EXPECT_NUMBERED(Program);
  EXPECT_NUMBERED(Signature);
  EXPECT_NUMBERED(Port);
  EXPECT_NUMBERED(Tensor);
  EXPECT_NUMBERED(Buffer);
  EXPECT_NUMBERED(Region);
  EXPECT_NUMBERED(Step);
  EXPECT_NUMBERED(Segment);
  EXPECT_NUMBERED(Space);
#define LINNET_OP(name, file) EXPECT_NUMBERED(name##Attrs);
#include "runtime/ops/op_list.def"
#undef LINNET_OP
#undef EXPECT_NUMBERED
}

// The layouts have the fields of the generated tables, in their order.
TEST(TableLayout, DescribesEachField) {
  const auto& weight = kTableLayout<schema::Weight>;
  ASSERT_EQ(weight.size(), 4u);  // offset, size, encoding, affine
  EXPECT_EQ(weight[1].bytes, 8);
  EXPECT_EQ(weight[2].bytes, 1);
  EXPECT_EQ(weight[3].bytes, sizeof(schema::Affine));
  EXPECT_EQ(weight[3].alignment, alignof(schema::Affine));

  const auto& symbol = kTableLayout<schema::Symbol>;
  ASSERT_EQ(symbol.size(), 6u);  // name, max, min, constant, terms with their element
  EXPECT_EQ(symbol[0].kind, FieldLayout::kText);
  EXPECT_EQ(symbol[4].kind, FieldLayout::kList);
  EXPECT_EQ(symbol[4].inner, 1);
  EXPECT_EQ(symbol[5].bytes, sizeof(schema::Term));

  const auto& signature = kTableLayout<schema::Signature>;
  ASSERT_EQ(signature.size(), 11u);  // key, and two lists of a table with three fields
  EXPECT_EQ(signature[1].inner, 4);
  EXPECT_EQ(signature[2].kind, FieldLayout::kTable);
  EXPECT_EQ(signature[2].inner, 3);
}

// Nested in steps, and without an identifier.
TEST(StructureVerifier, VerifiesAttributes) {
  flatbuffers::FlatBufferBuilder fbb;
  const std::vector<int64_t> dims = {1, 2, 3};
  const auto begin = fbb.CreateVector(dims), size = fbb.CreateVector(dims);
  fbb.Finish(schema::CreateSliceAttrs(fbb, begin, size, fbb.CreateVector(dims)));
  Structure structure(fbb.GetSize() / 8 + 1);
  const std::span<uint8_t> bytes = BytesOf(structure, fbb.GetSize());
  std::memcpy(bytes.data(), fbb.GetBufferPointer(), bytes.size());
  const auto verify = [&] {
    return StructureVerifier(bytes).Verify(kTableLayout<schema::SliceAttrs>, nullptr);
  };
  EXPECT_TRUE(verify());
  int refused = 0;
  for (uint8_t& byte : bytes) {
    const uint8_t was = byte;
    for (const int value : {was + 4, was - 1, was ^ 0x80, 0, 0xff}) {
      byte = static_cast<uint8_t>(value);
      flatbuffers::Verifier generated(bytes.data(), bytes.size());
      if (generated.VerifyBuffer<schema::SliceAttrs>(nullptr)) continue;
      ++refused;
      EXPECT_FALSE(verify()) << "byte " << &byte - bytes.data();
    }
    byte = was;
  }
  EXPECT_GT(refused, 30);
}

// Terms are read in place, so they must be aligned.
TEST(StructureVerifier, RefusesTermsThatAreNotAligned) {
  for (const size_t pad : {size_t{0}, size_t{4}}) {
    flatbuffers::FlatBufferBuilder fbb;
    const std::vector<schema::Term> terms = {schema::Term(0, 1)};
    const auto list = fbb.CreateVectorOfStructs(terms);
    const auto symbol = schema::CreateSymbol(fbb, 0, 1, 0, 0, list);
    const auto symbols = fbb.CreateVector(std::vector(1, symbol));
    schema::FinishPlanBuffer(fbb, schema::CreatePlan(fbb, 0, 0, 0, 0, symbols));
    // The same bytes four bytes further, with a root offset that is four larger.
    std::vector<uint64_t> moved(fbb.GetSize() / 8 + 2);
    auto* to = reinterpret_cast<uint8_t*>(moved.data());
    std::memcpy(to + pad, fbb.GetBufferPointer(), fbb.GetSize());
    std::memcpy(to, fbb.GetBufferPointer(), 8);
    flatbuffers::WriteScalar(
        to, flatbuffers::ReadScalar<flatbuffers::uoffset_t>(to) + static_cast<uint32_t>(pad));
    EXPECT_EQ(Verify({to, fbb.GetSize() + pad}), pad == 0);
  }
}

}  // namespace
}  // namespace linnet
