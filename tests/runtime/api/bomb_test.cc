// SPDX-License-Identifier: Apache-2.0
// Small plans that ask for much. Opening a plan of n bytes and creating a session under max_bytes
// must take at most 64 n + 1 MB + 2 max_bytes of memory, and a plan of 4 n bytes at most six times
// as long. It does not matter whether the plan is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <string>

#include "linnet/linnet.h"
#include "runtime/ops/all_attrs.h"
#include "tests/runtime/api/raw_plan.h"
#include "tests/runtime/counted_malloc.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

using Bytes = std::vector<std::byte>;
constexpr int64_t kMaxBytes = int64_t{8} << 20;

struct Bomb {
  const char* name;
  Bytes (*make)(size_t bytes);  // the plan's size is about `bytes`
};

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

// What opening, creating and running one plan took.
struct Taken {
  int64_t open_bytes, all_bytes;
  double seconds;
  linnet_status opened, created;
};

double Now() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Taken Live(const PlacedBytes& bytes, linnet_backend backend) {
  Taken taken{0, 0, 0, LINNET_OK, LINNET_OK};
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.backend = backend;
  options.max_bytes = kMaxBytes;
  linnet_plan* plan = nullptr;
  linnet_session* session = nullptr;
  const CountedScope scope(-1);
  const double start = Now();
  taken.opened = linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan, nullptr);
  taken.open_bytes = CountedScope::peak_bytes();
  if (taken.opened == LINNET_OK)
    taken.created = linnet_session_create(plan, &options, &session, nullptr);
  taken.seconds = Now() - start;
  taken.all_bytes = CountedScope::peak_bytes();
  linnet_session_destroy(session);
  linnet_plan_close(plan);
  return taken;
}

class BombTest : public testing::TestWithParam<std::tuple<Bomb, linnet_backend>> {};

TEST_P(BombTest, IsAnsweredWithinItsBudget) {
  constexpr size_t kSmall = size_t{256} << 10;
  const auto& [bomb, backend] = GetParam();
  const PlacedBytes plans[] = {PlacedBytes(bomb.make(kSmall)), PlacedBytes(bomb.make(4 * kSmall))};
  double least[] = {1e9, 1e9};
  // Times below some milliseconds depend on the caches of a busy machine; quadratic time is much
  // longer than that.
  const auto in_time = [&] { return least[1] <= 6 * std::max(least[0], 0.005); };
  // Both sizes take turns, so that a busy moment affects both. If it lasts, more repetitions wait
  // for it to end: a plan never takes less than its true time.
  for (int repeat = 0; repeat < 5 || (repeat < 40 && !in_time()); ++repeat)
    for (int size = 0; size < 2; ++size) {
      const auto n = static_cast<int64_t>(plans[size].size());
      const Taken taken = Live(plans[size], backend);
      least[size] = std::min(least[size], taken.seconds);
      if (repeat == 0) continue;  // initialises what lives as long as the process
      EXPECT_LE(taken.open_bytes, 64 * n + (1 << 20)) << n << " bytes";
      EXPECT_LE(taken.all_bytes, 64 * n + (1 << 20) + 2 * kMaxBytes) << n << " bytes";
      if (repeat == 4)
        RecordProperty("size" + std::to_string(size),
                       std::to_string(n) + " bytes: " + std::to_string(taken.open_bytes) + ", " +
                           std::to_string(taken.all_bytes) + " taken, " +
                           linnet_status_name(taken.opened) + ", " +
                           linnet_status_name(taken.created));
    }
  EXPECT_TRUE(in_time()) << least[0] << " s, then " << least[1];
}

INSTANTIATE_TEST_SUITE_P(All, BombTest,
                         testing::Combine(testing::ValuesIn(kBombs),
                                          testing::Values(LINNET_BACKEND_CPU,
                                                          LINNET_BACKEND_PORTABLE,
                                                          LINNET_BACKEND_PLAIN)),
                         [](const auto& info) {
                           const linnet_backend backend = std::get<1>(info.param);
                           return std::string(std::get<0>(info.param).name) +
                                  (backend == LINNET_BACKEND_CPU        ? "Cpu"
                                   : backend == LINNET_BACKEND_PORTABLE ? "Portable"
                                                                        : "Plain");
                         });

}  // namespace
}  // namespace linnet
