// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/api/bombs.h"

#include <cstdint>
#include <string>

#include "runtime/ops/all_attrs.h"
#include "tests/runtime/api/raw_plan.h"

namespace linnet {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

using Bytes = std::vector<std::byte>;

std::vector<uint8_t> EncodedNeg() {
  UnaryAttrs attrs;
  attrs.kind = schema::UnaryKind::Neg;
  return EncodeAttrs(OpKind::kUnary, &attrs);
}

// The parts of a program; several programs may share them.
struct Parts {
  Offset<flatbuffers::Vector<Offset<schema::Tensor>>> tensors;
  Offset<flatbuffers::Vector<Offset<schema::Buffer>>> buffers;
  Offset<flatbuffers::Vector<Offset<schema::Region>>> regions;
  Offset<flatbuffers::Vector<Offset<schema::Segment>>> segments;
  Offset<flatbuffers::Vector<Offset<schema::Space>>> spaces;
  Offset<schema::Signature> signature;
};

Parts SmallParts(FlatBufferBuilder& fbb, Offset<flatbuffers::Vector<Offset<schema::Step>>> steps) {
  Parts parts;
  parts.tensors = fbb.CreateVector(std::vector{
      schema::CreateTensor(fbb, schema::DType::Float32, fbb.CreateVector<int64_t>({4}), 0, 0)});
  parts.buffers = fbb.CreateVector(std::vector{schema::CreateBuffer(fbb, 0, 0, 64)});
  parts.regions = fbb.CreateVector(std::vector{schema::CreateRegion(fbb, 0, 0, steps)});
  parts.spaces = fbb.CreateVector(std::vector{schema::CreateSpace(fbb, 0, 64, 64)});
  parts.signature = schema::CreateSignature(
      fbb, fbb.CreateString("run"),
      fbb.CreateVector(std::vector{schema::CreatePort(fbb, fbb.CreateString("x"), 0, 0)}));
  return parts;
}

Offset<schema::Program> ProgramOf(FlatBufferBuilder& fbb, const Parts& parts) {
  return schema::CreateProgram(fbb, parts.signature, 0, 0, parts.tensors, parts.buffers,
                               parts.regions, parts.segments, parts.spaces);
}

Bytes Finish(FlatBufferBuilder& fbb, const std::vector<Offset<schema::Program>>& programs,
             const std::vector<Offset<schema::State>>& states = {},
             const std::vector<Offset<schema::Symbol>>& symbols = {}) {
  const auto program_list = fbb.CreateVector(programs);
  const auto state_list = fbb.CreateVector(states);
  const auto symbol_list = fbb.CreateVector(symbols);
  schema::FinishPlanBuffer(fbb,
                           schema::CreatePlan(fbb, 0, 0, 0, state_list, symbol_list, program_list));
  return PlanFileOf(fbb, {});
}

// How many times a table may be named in a plan of so many bytes without being refused. Adds a
// string, because each reference has to be paid for by bytes of the plan.
size_t Sharers(FlatBufferBuilder& fbb, size_t bytes) {
  fbb.CreateString(std::string(bytes * 5 / 9, 'x'));
  return bytes / 9;
}

Bytes SharedPrograms(size_t bytes) {
  FlatBufferBuilder fbb;
  const size_t count = Sharers(fbb, bytes) / 8;  // a program has several tables
  const auto program = ProgramOf(fbb, SmallParts(fbb, 0));
  return Finish(fbb, std::vector(count, program));
}

Bytes Programs(size_t bytes) {
  FlatBufferBuilder fbb;
  std::vector<Offset<schema::Program>> programs;
  while (fbb.GetSize() < bytes) programs.push_back(ProgramOf(fbb, SmallParts(fbb, 0)));
  return Finish(fbb, programs);
}

// Programs with tables that each of them has to set up.
Bytes ProgramsAndStates(size_t bytes) {
  FlatBufferBuilder fbb;
  std::vector<Offset<schema::Program>> programs;
  while (fbb.GetSize() < bytes / 2) programs.push_back(ProgramOf(fbb, SmallParts(fbb, 0)));
  const auto state = schema::CreateState(fbb, 0, schema::DType::Float32);
  return Finish(fbb, programs, std::vector(bytes / 16, state));
}

Bytes ProgramsAndSymbols(size_t bytes) {
  FlatBufferBuilder fbb;
  std::vector<Offset<schema::Program>> programs;
  while (fbb.GetSize() < bytes / 2) programs.push_back(ProgramOf(fbb, SmallParts(fbb, 0)));
  const auto symbol = schema::CreateSymbol(fbb, 0, 8, 1);
  return Finish(fbb, programs, {}, std::vector(bytes / 16, symbol));
}

Bytes SharedTerms(size_t bytes) {
  FlatBufferBuilder fbb;
  const auto terms = fbb.CreateVectorOfStructs(std::vector(64, schema::Term(0, 1)));
  std::vector<Offset<schema::Symbol>> symbols{schema::CreateSymbol(fbb, 0, 8, 1)};
  const auto derived = schema::CreateSymbol(fbb, 0, 512, 1, 0, terms);
  symbols.insert(symbols.end(), bytes / 8, derived);
  return Finish(fbb, {ProgramOf(fbb, SmallParts(fbb, 0))}, {}, symbols);
}

// `count` steps made by `make`, which may return the same step again.
template <typename Make>
Bytes Steps(FlatBufferBuilder& fbb, size_t bytes, const Make& make) {
  std::vector<Offset<schema::Step>> steps;
  while (fbb.GetSize() + steps.size() * 4 < bytes) steps.push_back(make());
  const auto list = fbb.CreateVector(steps);
  return Finish(fbb, {ProgramOf(fbb, SmallParts(fbb, list))});
}

Bytes SharedSteps(size_t bytes) {
  FlatBufferBuilder fbb;
  Sharers(fbb, bytes);
  const auto step = schema::CreateStep(fbb, schema::OpKind::Unary, fbb.CreateVector(EncodedNeg()),
                                       fbb.CreateVector<int32_t>({0}), 0);
  return Steps(fbb, bytes, [&] { return step; });
}

Bytes SharedSources(size_t bytes) {
  FlatBufferBuilder fbb;
  const auto names = fbb.CreateVector(std::vector(bytes / 8, fbb.CreateString("name")));
  return Steps(fbb, bytes,
               [&] { return schema::CreateStep(fbb, schema::OpKind::Unary, 0, 0, 0, names); });
}

Bytes SharedInputs(size_t bytes) {
  FlatBufferBuilder fbb;
  const auto inputs = fbb.CreateVector(std::vector<int32_t>(4096, 0));
  ConcatAttrs concat;
  const auto attrs = fbb.CreateVector(EncodeAttrs(OpKind::kConcat, &concat));
  return Steps(fbb, bytes,
               [&] { return schema::CreateStep(fbb, schema::OpKind::Concat, attrs, inputs); });
}

Bytes SharedAttributes(size_t bytes) {
  FlatBufferBuilder fbb;
  const auto attrs = fbb.CreateVector(std::vector<uint8_t>(1024, 0));
  return Steps(fbb, bytes, [&] { return schema::CreateStep(fbb, schema::OpKind::Unary, attrs); });
}

// A program in which one list of parts, `list` of Parts, is `count` times the part that `make`
// makes.
template <typename Part, typename Make>
Bytes SharedParts(size_t bytes, Offset<flatbuffers::Vector<Offset<Part>>> Parts::*list,
                  const Make& make) {
  FlatBufferBuilder fbb;
  const size_t count = Sharers(fbb, bytes);
  Parts parts = SmallParts(fbb, 0);
  parts.*list = fbb.CreateVector(std::vector<Offset<Part>>(count, make(fbb)));
  return Finish(fbb, {ProgramOf(fbb, parts)});
}

Bytes SharedTensors(size_t bytes) {
  return SharedParts(bytes, &Parts::tensors, [](FlatBufferBuilder& fbb) {
    return schema::CreateTensor(fbb, schema::DType::Float32, fbb.CreateVector<int64_t>({4}), 0, 0);
  });
}

Bytes SharedBuffers(size_t bytes) {
  return SharedParts(bytes, &Parts::buffers,
                     [](FlatBufferBuilder& fbb) { return schema::CreateBuffer(fbb, 0, 0, 64); });
}

Bytes SharedRegions(size_t bytes) {
  return SharedParts(bytes, &Parts::regions,
                     [](FlatBufferBuilder& fbb) { return schema::CreateRegion(fbb); });
}

Bytes SharedSegments(size_t bytes) {
  return SharedParts(bytes, &Parts::segments,
                     [](FlatBufferBuilder& fbb) { return schema::CreateSegment(fbb, 0, 0, 1); });
}

Bytes SharedPorts(size_t bytes) {
  FlatBufferBuilder fbb;
  Parts parts = SmallParts(fbb, 0);
  const auto port = schema::CreatePort(fbb, fbb.CreateString(std::string(bytes / 2, 'x')), 0, 0);
  parts.signature =
      schema::CreateSignature(fbb, fbb.CreateString("run"), fbb.CreateVector(std::vector(1, port)),
                              fbb.CreateVector(std::vector(bytes / 16, port)));
  return Finish(fbb, {ProgramOf(fbb, parts)});
}

// Nothing is shared; the plan is valid.
Bytes Chain(size_t bytes) {
  RawPlan plan;
  const std::vector<uint8_t> attrs = EncodedNeg();
  int32_t last = plan.Input({4});
  while (plan.fbb.GetSize() < bytes) {
    const int32_t next = plan.Arena({4});
    plan.AddStep(OpKind::kUnary, attrs, {last}, {next});
    last = next;
  }
  plan.Port(last, true);
  return plan.Finish();
}

// All steps write to the same place.
Bytes Aliases(size_t bytes) {
  RawPlan plan;
  const std::vector<uint8_t> attrs = EncodedNeg();
  const int32_t buffer = plan.Buffer(64);
  int32_t last = plan.Add({.shape = {4}, .buffer = buffer});
  plan.Port(last, false);
  while (plan.fbb.GetSize() < bytes) {
    const int32_t next = plan.Add({.shape = {4}, .buffer = buffer});
    plan.AddStep(OpKind::kUnary, attrs, {last}, {next});
    last = next;
  }
  plan.Port(last, true);
  return plan.Finish();
}

// Concatenates x with itself; x is placed where its last copy belongs. The larger plan has as many
// inputs as a step may have.
Bytes Overlaps(size_t bytes) {
  RawPlan plan;
  const auto count = static_cast<int64_t>(bytes / 256);
  for (int i = 0; i < 24; ++i) {
    const int32_t buffer = plan.Buffer(count * 4);
    const int32_t x = plan.Add({.shape = {1}, .buffer = buffer, .offset = (count - 1) * 4});
    plan.Port(x, false);
    const int32_t y = plan.Add({.shape = {count}, .buffer = buffer});
    plan.Step(ConcatAttrs{}, std::vector(static_cast<size_t>(count), x), {y});
    plan.Port(y, true);
  }
  return plan.Finish();
}

// One encoded weight, which would be decoded for each input of a step.
Bytes Encodings(size_t bytes) {
  RawPlan plan;
  const auto elements = static_cast<int64_t>(bytes / 2);
  const int32_t weight = plan.Weight(Bytes(bytes / 2), schema::Encoding::AffineU8);
  std::vector<int32_t> inputs;
  while (plan.fbb.GetSize() < bytes / 2 && inputs.size() < 4096)
    inputs.push_back(plan.Add({.shape = {elements}, .weight = weight}));
  const int32_t y = plan.Arena({elements * static_cast<int64_t>(inputs.size())});
  plan.Step(ConcatAttrs{}, inputs, {y});
  plan.Port(y, true);
  return plan.Finish();
}

// The same with packed filters, one step each.
Bytes Filters(size_t bytes) {
  RawPlan plan;
  const auto columns = static_cast<int64_t>(bytes / 64);
  const int32_t weight = plan.Weight(Bytes(bytes / 2), schema::Encoding::AffineU8);
  const int32_t x = plan.Input({1, 32}), buffer = plan.Buffer(columns * 4);
  while (plan.fbb.GetSize() < bytes / 2) {
    const int32_t filter = plan.Add({.shape = {columns, 32}, .weight = weight});
    const int32_t y = plan.Add({.shape = {1, columns}, .buffer = buffer});
    plan.Step(FullyConnectedAttrs{}, {x, filter}, {y});
  }
  return plan.Finish();
}

// The same with filters in panels, half of whose steps want rows.
Bytes Panels(size_t bytes) {
  RawPlan plan;
  const auto columns = static_cast<int64_t>(bytes / 64);
  const int32_t weight = plan.Weight(Bytes(static_cast<size_t>(AlignUp(columns, 8)) * 32),
                                     schema::Encoding::Panels16AffineU8);
  const int32_t x = plan.Input({1, 32}), buffer = plan.Buffer(columns * 4);
  BatchMatMulAttrs product;
  product.transpose_b = true;
  while (plan.fbb.GetSize() < bytes / 2) {
    const int32_t filter = plan.Add({.shape = {columns, 32}, .weight = weight});
    const int32_t y = plan.Add({.shape = {1, columns}, .buffer = buffer});
    plan.Step(FullyConnectedAttrs{}, {x, filter}, {y});
    plan.Step(product, {x, filter}, {y});
  }
  return plan.Finish();
}

// A matrix without rows has no bytes, however many columns it has.
Bytes EmptyPanels(size_t) {
  RawPlan plan;
  const int32_t weight = plan.Weight(Bytes(), schema::Encoding::Panels16);
  for (int i = 0; i < 64; ++i)
    plan.Port(plan.Add({.shape = {int64_t{1} << 40, 0}, .weight = weight}), true);
  return plan.Finish();
}

// Steps that run in as many strips as can be, `count` steps together.
Bytes ManyStrips(size_t bytes, uint32_t count) {
  RawPlan plan;
  constexpr int64_t kMostStrips = 512;
  const Shape shape = {1, kMostStrips, 1, 1};
  const auto attrs = plan.fbb.CreateVector(EncodedNeg());
  const int32_t x = plan.Input(shape), rows = plan.Buffer(int64_t{1} << 16);
  const int32_t buffer = plan.Buffer(kMostStrips * 4);
  while (plan.fbb.GetSize() < bytes) {
    int32_t last = x;
    plan.Strips(count, 1);
    for (uint32_t i = 0; i < count; ++i) {
      const int32_t next = plan.Add({.shape = shape, .buffer = i + 1 < count ? -1 : buffer});
      const auto inputs = plan.fbb.CreateVector({last}), outputs = plan.fbb.CreateVector({next});
      plan.AddStep(schema::CreateStep(plan.fbb, schema::OpKind::Unary, attrs, inputs, outputs, 0,
                                      schema::Control::None, 0, 0, 0, -1, i == 0 ? rows : -1));
      last = next;
    }
  }
  return plan.Finish();
}

Bytes ShortStrips(size_t bytes) { return ManyStrips(bytes, 2); }
Bytes LongStrips(size_t bytes) { return ManyStrips(bytes, 64); }

constexpr Bomb kBombs[] = {
    {"SharedPrograms", SharedPrograms},
    {"Programs", Programs},
    {"ProgramsAndStates", ProgramsAndStates},
    {"ProgramsAndSymbols", ProgramsAndSymbols},
    {"SharedTerms", SharedTerms},
    {"SharedSteps", SharedSteps},
    {"SharedSources", SharedSources},
    {"SharedInputs", SharedInputs},
    {"SharedAttributes", SharedAttributes},
    {"SharedTensors", SharedTensors},
    {"SharedBuffers", SharedBuffers},
    {"SharedRegions", SharedRegions},
    {"SharedSegments", SharedSegments},
    {"SharedPorts", SharedPorts},
    {"Chain", Chain},
    {"Aliases", Aliases},
    {"Overlaps", Overlaps},
    {"Encodings", Encodings},
    {"Filters", Filters},
    {"Panels", Panels},
    {"EmptyPanels", EmptyPanels},
    {"ShortStrips", ShortStrips},
    {"LongStrips", LongStrips},
};

}  // namespace

std::span<const Bomb> AllBombs() { return kBombs; }

}  // namespace linnet
