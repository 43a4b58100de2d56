// SPDX-License-Identifier: Apache-2.0
// Random numbers. TensorFlow's ops come in three forms, which differ in where they have the
// generator from.
#include "runtime/ops/random.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "runtime/ops/gather.h"

namespace linnet::converter {
namespace {

using schema::RandomKind;

enum class From {
  kSeed,    // from input seed, which is scrambled
  kKey,     // from the inputs key, counter and algorithm
  kSession  // from the attributes seed and seed2; it continues where the last run ended
};
constexpr int NumInputs(From from) { return from == From::kSeed ? 1 : from == From::kKey ? 3 : 0; }

constexpr int64_t kPhilox = 1, kThreeFry = 2, kAutomatic = 3;
// How many blocks of four words a stateful op reserves for each number, whether it needs them or
// not.
constexpr int64_t kBlocksPerNumber = 256;
// The key with which TensorFlow scrambles seeds.
constexpr int64_t kScramblingKey = 0x02461e293ec8f720;

struct Generator {
  Emitted key, counter;
};

// The generator, with the seed as its counter, gives four words: two are the key, two the upper
// half of the counter.
absl::StatusOr<Generator> FromSeed(LegalizeContext& context, int input) {
  if (context.shape(input) != Shape{2})
    return Invalid("'seed' (input {}) has shape {}, want [2]", input,
                   ShapeText(context.shape(input)));
  const Emitted seed = EmitCast(context, DType::kInt64, context.input(input), "seed");
  const Output scrambling_key = context.AddVector<int64_t>({kScramblingKey}, "scrambling_key");
  const Emitted mixed =
      context.Emit(RandomAttrs{.kind = RandomKind::Integer, .dtype = DType::kInt64, .shape = {2}},
                   {scrambling_key, seed}, "scrambled");
  const Emitted key = EmitSlice(context, {0}, {1}, mixed, "key");
  const Emitted high = EmitSlice(context, {1}, {1}, mixed, "counter_high");
  const Output zero = context.AddVector<int64_t>({0}, "counter_low");
  return Generator{key, EmitJoined(context, {zero, high}, 0, "counter")};
}

absl::StatusOr<Generator> FromKey(LegalizeContext& context, int input) {
  LINNET_ASSIGN_OR_RETURN(const int64_t algorithm, context.ConstantInt(input + 2, "alg"));
  if (algorithm == kThreeFry)
    return Unsupported("its algorithm is ThreeFry, which TensorFlow has for other devices only");
  if (algorithm != kPhilox && algorithm != kAutomatic)
    return Invalid("'alg' (input {}) is {}", input + 2, algorithm);
  const TensorType &key = context.type(input), &counter = context.type(input + 1);
  if (key != TensorType{DType::kInt64, {1}})
    return Invalid("'key' (input {}) has shape {}, want [1]", input, ShapeText(key.shape));
  if (counter.dtype != DType::kInt64 || counter.shape.rank() != 1 || counter.shape[0] < 2)
    return Invalid("'counter' (input {}) has shape {}, want [2]", input + 1,
                   ShapeText(counter.shape));
  return Generator{context.input(input),
                   EmitSlice(context, {0}, {2}, context.input(input + 1), "counter")};
}

// A seed for ops without one, which TensorFlow seeds differently at each start: a hash (FNV-1a) of
// the op's name.
int64_t SeedOf(const std::string& name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return static_cast<int64_t>(hash);
}

// The generator after the blocks that earlier runs have used; this run uses `blocks` (i64 [1]).
absl::StatusOr<Generator> FromSession(LegalizeContext& context, const Emitted& blocks) {
  LINNET_ASSIGN_OR_RETURN(int64_t seed, context.Int("seed", 0));
  LINNET_ASSIGN_OR_RETURN(const int64_t seed2, context.Int("seed2", 0));
  if (seed == 0 && seed2 == 0) seed = SeedOf(context.origin());
  const Emitted used = context.TakeBlocks(blocks);
  const Output key = context.AddVector<int64_t>({seed}, "key");
  const Output high = context.AddVector<int64_t>({seed2}, "counter_high");
  return Generator{key, EmitJoined(context, {used, high}, 0, "counter")};
}

// `blocks` emits the number of blocks that a stateful op reserves.
template <From kFrom, typename Blocks>
absl::StatusOr<Generator> GeneratorOf(LegalizeContext& context, int input, const Blocks& blocks) {
  if constexpr (kFrom == From::kSeed) return FromSeed(context, input);
  if constexpr (kFrom == From::kKey) return FromKey(context, input);
  return FromSession(context, blocks());
}

// i64 [1]: the product of the integers in `sizes` [n], times `factor`.
Emitted EmitProduct(LegalizeContext& context, const Emitted& sizes, int64_t factor) {
  const Emitted wide = EmitCast(context, DType::kInt64, sizes, "sizes");
  const Emitted product = EmitReduce(context, ReduceKind::Prod, {0}, true, wide, "numbers");
  return EmitBinary(context, BinaryKind::Mul, product,
                    context.AddVector<int64_t>({factor}, "factor"), "blocks");
}

// The dtype in which TensorFlow draws the numbers.
absl::StatusOr<DType> DrawnDType(const LegalizeContext& context) {
  const tf::DataType type = context.node().tf_output_types()[0];
  if (ToDType(type) == DType::kInvalid)
    return Unsupported("it draws {} numbers, which Linnet does not have", DataTypeString(type));
  return ToDType(type);
}

// shape, generator[, bounds] -> numbers.
template <From kFrom, RandomKind kKind, int kBounds = 0>
absl::Status Numbers(LegalizeContext& context) {
  constexpr int kFirstBound = 1 + NumInputs(kFrom);
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 1));
  RandomAttrs attrs{.kind = kKind};
  LINNET_ASSIGN_OR_RETURN(attrs.dtype, DrawnDType(context));
  LINNET_ASSIGN_OR_RETURN(const Extents extents, context.ExtentValues(0, "shape"));
  LINNET_ASSIGN_OR_RETURN(const OpAttrs varying, WithShape(context, attrs, extents));
  LINNET_ASSIGN_OR_RETURN(const Generator generator, GeneratorOf<kFrom>(context, 1, [&] {
                            return EmitProduct(context, context.input(0), kBlocksPerNumber);
                          }));
  std::vector<Emitted> inputs = {generator.key, generator.counter};
  for (int i = 0; i < kBounds; ++i) inputs.push_back(context.input(kFirstBound + i));
  return context.Replace(context.Emit(varying, inputs));
}

// logits [rows, classes], samples[, seed] -> classes [rows, samples].
template <From kFrom>
absl::Status Multinomial(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 2));
  LINNET_ASSIGN_OR_RETURN(const int64_t samples, context.ConstantInt(1, "num_samples"));
  if (samples < 0) return Invalid("'num_samples' is {}", samples);
  if (context.shape(0)[1] < 1) return Invalid("input 0 has no classes");
  LINNET_ASSIGN_OR_RETURN(const DType dtype, DrawnDType(context));
  const Emitted logits = EmitCast(context, DType::kFloat32, context.input(0), "logits");
  const Extent rows = context.extents(0)[0];
  LINNET_ASSIGN_OR_RETURN(
      const OpAttrs varying,
      WithShape(context, RandomAttrs{.kind = RandomKind::Categorical, .dtype = DType::kInt64},
                {rows, Extent(samples)}));
  LINNET_ASSIGN_OR_RETURN(
      const Generator generator, GeneratorOf<kFrom>(context, 2, [&] {
        // A double takes two words. TensorFlow rounds the number of samples up to a multiple of
        // four.
        const int64_t numbers = SaturatingMul(AlignUp(samples, 4), 2);
        Emitted count = context.AddVector<int64_t>({context.shape(0)[0]}, "rows");
        if (!rows.is_constant()) {
          const Emitted shape = EmitShapeOf(context, DType::kInt64, logits, "shape");
          count = EmitSlice(context, {0}, {1}, shape, "rows");
        }
        return EmitProduct(context, count, SaturatingMul(numbers, kBlocksPerNumber));
      }));
  const Emitted classes =
      context.Emit(varying, {generator.key, generator.counter, logits}, "classes");
  return context.Replace(EmitCast(context, dtype, classes));
}

// value[, generator] -> its rows in another order.
template <From kFrom>
absl::Status Shuffle(LegalizeContext& context) {
  if (context.shape(0).rank() == 0) return context.Replace(context.input(0));
  const int64_t rows = context.shape(0)[0];
  if (rows > INT32_MAX) return Unsupported("it shuffles {} rows", rows);
  // One word for each row but the last.
  const int64_t blocks = CeilDiv(std::max<int64_t>(rows - 1, 0), 4);
  LINNET_ASSIGN_OR_RETURN(const Generator generator, GeneratorOf<kFrom>(context, 1, [&] {
                            return context.AddVector<int64_t>({blocks}, "blocks");
                          }));
  const Emitted order = context.Emit(
      RandomAttrs{.kind = RandomKind::Permutation, .dtype = DType::kInt32, .shape = {rows}},
      {generator.key, generator.counter}, "order");
  return context.Replace(context.Emit(GatherAttrs(), {context.input(0), order}));
}

absl::Status Algorithm(LegalizeContext& context) {
  return context.Replace(context.AddScalar(DType::kInt32, kPhilox));
}

absl::Status KeyCounter(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Generator generator, FromSeed(context, 0));
  std::vector<Emitted> outputs = {generator.key, generator.counter};
  if (context.node().tf_output_types().size() > 2)
    outputs.push_back(context.AddScalar(DType::kInt32, kPhilox, "alg"));
  return context.Replace(outputs);
}

constexpr char kOfSeed[] = "Random; shape bounded";
constexpr char kOfSession[] = "Random with a state of the session; shape bounded";
constexpr char kOfKey[] = "Random; shape bounded, Philox only";

}  // namespace

std::span<const TfOp> RandomOps() {
  static constexpr TfOp kRows[] = {
      {"Multinomial", Multinomial<From::kSession>,
       "Random with a state of the session; count known", kMayVary},
      {"RandomShuffle", Shuffle<From::kSession>, "Random with a state of the session, Gather"},
      {"RandomStandardNormal", Numbers<From::kSession, RandomKind::Normal>, kOfSession, kMayVary},
      {"RandomUniform", Numbers<From::kSession, RandomKind::Uniform>, kOfSession, kMayVary},
      {"RandomUniformInt", Numbers<From::kSession, RandomKind::Integer, 2>, kOfSession, kMayVary},
      {"StatelessMultinomial", Multinomial<From::kSeed>, "Random; count known", kMayVary},
      {"StatelessRandomGetAlg", Algorithm, "a constant"},
      {"StatelessRandomGetKeyCounter", KeyCounter, "Random on the seed"},
      {"StatelessRandomGetKeyCounterAlg", KeyCounter, "Random on the seed"},
      {"StatelessRandomNormal", Numbers<From::kSeed, RandomKind::Normal>, kOfSeed, kMayVary},
      {"StatelessRandomNormalV2", Numbers<From::kKey, RandomKind::Normal>, kOfKey, kMayVary},
      {"StatelessRandomUniform", Numbers<From::kSeed, RandomKind::Uniform>, kOfSeed, kMayVary},
      {"StatelessRandomUniformFullInt", Numbers<From::kSeed, RandomKind::Integer>, kOfSeed,
       kMayVary},
      {"StatelessRandomUniformFullIntV2", Numbers<From::kKey, RandomKind::Integer>, kOfKey,
       kMayVary},
      {"StatelessRandomUniformInt", Numbers<From::kSeed, RandomKind::Integer, 2>, kOfSeed,
       kMayVary},
      {"StatelessRandomUniformIntV2", Numbers<From::kKey, RandomKind::Integer, 2>, kOfKey,
       kMayVary},
      {"StatelessRandomUniformV2", Numbers<From::kKey, RandomKind::Uniform>, kOfKey, kMayVary},
      {"StatelessShuffle", Shuffle<From::kKey>, "Random, Gather; Philox only"},
      {"StatelessTruncatedNormal", Numbers<From::kSeed, RandomKind::TruncatedNormal>, kOfSeed,
       kMayVary},
      {"StatelessTruncatedNormalV2", Numbers<From::kKey, RandomKind::TruncatedNormal>, kOfKey,
       kMayVary},
      {"TruncatedNormal", Numbers<From::kSession, RandomKind::TruncatedNormal>, kOfSession,
       kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
