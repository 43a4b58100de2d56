// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "converter/graph/text/text.h"
#include "fmt/format.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

constexpr std::string_view kModel = R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: [?,2]}
    rate = tf.PlaceholderWithDefault(const f32[] 0.5) {shape: []}
    w = const f32[2,2] {1, 2, 3, 4}
    h = tf.MatMul(x, w)
    s = tf.Mul(h, rate)
    top = tf.Unpack(s) {num: 1, axis: 0}
    loss = tf.Sum(s, const i32[] 0)
    extra = tf.Placeholder() {dtype: DT_INT32, shape: [1,?,3]}
    twice = tf.AddV2(extra, extra))";

PassContext Ends(std::vector<Feed> feeds, std::vector<std::string> fetches) {
  PassContext context;
  context.feeds = std::move(feeds);
  context.fetches = std::move(fetches);
  return context;
}

std::string Error(const PassContext& context) {
  const auto graph = Parse(kModel);
  const absl::StatusOr<int> result = Prune(*graph, context);
  if (result.ok()) return "";
  return std::string(result.status().message().data(), result.status().message().size());
}

// TensorFlow graph row 45: prune by fetches
TEST(Prune, KeepsWhatAFetchNeeds) {
  ExpectRewritten(Prune, kModel, R"(
    x = arg f32[1,2]
    h = tf.MatMul(x, const f32[2,2] {1, 2, 3, 4})
    s = tf.Mul(h, const f32[] 0.5)
    out = ret(s))",
                  {.context = Ends({}, {"s:0"})});
}

// TensorFlow graph row 52: the rewrite for a partial run
TEST(Prune, NamesTheEndsAsTensorFlowDoes) {
  const auto graph = Parse(kModel);
  std::vector<std::string> notes;
  PassContext context = Ends({{"x", {}}}, {"h", "h"});
  context.notes = &notes;
  ASSERT_TRUE(Prune(*graph, context).ok());
  ASSERT_NE(graph->FindNode("_arg_x_0_0"), nullptr);
  EXPECT_EQ(graph->FindNode("_arg_x_0_0")->sources(), std::vector<std::string>{"x"});
  EXPECT_NE(graph->FindNode("_retval_h_0_0"), nullptr);
  EXPECT_NE(graph->FindNode("_retval_h_0_1"), nullptr);
  EXPECT_EQ(notes, std::vector<std::string>{"input 'x': unknown batch size set to 1; --input "
                                            "x=Nx2 sets another"});
}

TEST(Prune, FedTensorCutsItsProducer) {
  ExpectRewritten(Prune, kModel, R"(
    h = arg f32[3,2]
    s = tf.Mul(h, const f32[] 0.5)
    out = ret(s))",
                  {.context = Ends({{"h", std::vector<int64_t>{3, 2}}}, {"s"})});
}

TEST(Prune, WithoutFetchesTakesTheLeaves) {
  ExpectRewritten(Prune, R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: [2]}
    a = tf.Exp(x)
    b = tf.Neg(a)
    unused = const f32[] 1
    n = tf.NoOp(^a)
    c = tf.Log(x))",
                  R"(
    x = arg f32[2]
    a = tf.Exp(x)
    b = tf.Neg(a)
    c = tf.Log(x)
    o1 = ret(b)
    o2 = ret(c))");
}

TEST(Prune, ControlEdgesAreDependencies) {
  ExpectRewritten(Prune, R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: [2]}
    a = tf.Exp(x)
    b = tf.Neg(x, ^a))",
                  R"(
    x = arg f32[2]
    a = tf.Exp(x)
    b = tf.Neg(x, ^a)
    out = ret(b))",
                  {.context = Ends({}, {"b"})});
}

TEST(Prune, ControlEdgesOfAPlaceholderMoveToItsArg) {
  ExpectRewritten(Prune, R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: [2]}
    y = tf.Placeholder() {dtype: DT_FLOAT, shape: [2]}
    b = tf.Neg(y, ^x))",
                  R"(
    x = arg f32[2]
    y = arg f32[2]
    b = tf.Neg(y, ^x)
    out = ret(b))",
                  {.context = Ends({{"x", {}}, {"y", {}}}, {"b"})});
}

TEST(Prune, WhatWaitedForTheProducerOfAFedTensorWaitsForThatTensor) {
  ExpectRewritten(Prune, R"(
    text = tf.Placeholder() {dtype: DT_STRING, shape: [2]}
    ids = tf.StringToHashBucketFast(text) {num_buckets: 7}
    floats = tf.Cast(ids) {DstT: DT_FLOAT}
    last = tf.Neg(floats, ^ids))",
                  R"(
    ids = arg i64[2]
    floats = tf.Cast(ids) {DstT: DT_FLOAT}
    last = tf.Neg(floats, ^ids)
    out = ret(last))",
                  {.context = Ends({{"ids", std::vector<int64_t>{2}}}, {"last"})});
}

// TensorFlow graph row 51: errors of feeds and fetches
TEST(Prune, SaysWhatIsWrongWithTheEnds) {
  EXPECT_EQ(Error(Ends({{"x", {}}, {"x:0", {}}}, {"h"})), "Endpoint \"x:0\" fed more than once.");
  EXPECT_EQ(Error(Ends({{"h", {}}}, {"h"})), "h is both fed and fetched.");
  EXPECT_EQ(Error(Ends({{"nope", {}}}, {"h"})), "FeedInputs: unable to find feed output nope");
  EXPECT_EQ(Error(Ends({{"x:1", {}}}, {"h"})),
            "FeedInputs: unable to find feed output x:1; there is 'x'");
  EXPECT_EQ(Error(Ends({}, {"nope"})), "FetchOutputs node nope: not found");
  EXPECT_EQ(Error(Ends({}, {"h:7"})), "FetchOutputs h:7: output index too large, must be < 1");
}

TEST(Prune, NamesWhatIsCalledAlike) {
  const auto said = [](std::vector<Feed> feeds, std::vector<std::string> fetches) {
    const auto graph = Parse(R"(
      x = tf.Placeholder() {dtype: DT_FLOAT, shape: shape[2]}
      call/act = tf.Neg(x)
      call/more/act = tf.Neg(call/act)
      react = tf.Neg(call/more/act))");
    return std::string(
        Prune(*graph, Ends(std::move(feeds), std::move(fetches))).status().message());
  };
  EXPECT_EQ(said({{"act", {}}}, {"react"}),
            "FeedInputs: unable to find feed output act; there is 'call/act', 'call/more/act', "
            "'react'");
  EXPECT_EQ(said({}, {"model/act:0"}),
            "FetchOutputs node model/act:0: not found; there is 'call/act', 'call/more/act'");
}

TEST(Prune, ListsWhatTheModelHasOfItsOwn) {
  PassContext context = Ends({{"imge", {}}}, {"scors"});
  context.input_names = {"image", "mask"};
  for (int i = 0; i < 12; ++i) context.output_names.push_back(fmt::format("o{}", i));
  const auto graph = Parse(R"(
    image = tf.Placeholder() {dtype: DT_FLOAT, shape: shape[2]}
    scores = tf.Neg(image))");
  EXPECT_EQ(
      Prune(*graph, context).status().message(),
      "2 problems:\n"
      "  FeedInputs: unable to find feed output imge; there is 'image'; the model's inputs "
      "are 'image', 'mask'\n"
      "  FetchOutputs node scors: not found; there is 'scores'; the model's outputs are 'o0', "
      "'o1', 'o2', 'o3', 'o4', 'o5', 'o6', 'o7', 'o8', 'o9' and 2 more");
}

TEST(Prune, SaysThatNoOpsGiveNoData) {
  const auto graph = Parse("n = tf.NoOp()");
  const auto result = Prune(*graph, Ends({}, {"n"}));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().message().substr(0, 50),
            "Tried to fetch data for 'n', which produces no out");
  const auto empty = Parse("n = tf.NoOp()");
  EXPECT_EQ(Prune(*empty, {}).status().message(),
            "Must specify at least one target to fetch or execute.");
}

TEST(Prune, ListsEveryProblemAtOnce) {
  EXPECT_EQ(Error(Ends({{"nope", {}}}, {"gone"})),
            "2 problems:\n  FeedInputs: unable to find feed output nope\n"
            "  FetchOutputs node gone: not found");
}

// TensorFlow graph row 54: placeholders that nobody feeds
TEST(Prune, ListsPlaceholdersThatWereForgotten) {
  EXPECT_EQ(Error(Ends({{"rate", {}}}, {"h", "twice"})),
            "2 problems:\n"
            "  You must feed a value for placeholder tensor 'x' with dtype float and shape [?,2]; "
            "--input x=?x2\n"
            "  You must feed a value for placeholder tensor 'extra' with dtype int32 and shape "
            "[1,?,3]; --input extra=1x?x3");
}

TEST(Prune, WantsUnknownDimensions) {
  EXPECT_EQ(Error(Ends({}, {"twice"})),
            "Placeholder 'extra': the input's shape [1,?,3] is not fully known; give it with "
            "--input extra=1x?x3, a number for each ?");
  EXPECT_EQ(Error(Ends({{"extra", std::vector<int64_t>{5, 3}}}, {"twice"})),
            "Placeholder 'extra': shape [5,3] was asked for, but the model says [1,?,3]");
  EXPECT_EQ(Error(Ends({{"extra", std::vector<int64_t>{-1, 5, 3}}}, {"twice"})), "");
}

TEST(Prune, NotesAnInputOfAnotherSizeThanTheModelWasMadeFor) {
  const auto graph = Parse(R"(
    p = tf.Placeholder() {dtype: DT_FLOAT, shape: [1,8,8,3]}
    y = tf.Neg(p))");
  std::vector<std::string> notes;
  PassContext context = Ends({{"p", std::vector<int64_t>{1, 16, 8, 3}}}, {"y"});
  context.notes = &notes;
  ASSERT_TRUE(Prune(*graph, context).ok());
  EXPECT_EQ(notes,
            std::vector<std::string>{"input 'p' is [1,16,8,3], as was asked for; the model was "
                                     "made for [1,8,8,3]"});
}

TEST(Prune, AsksForNothingBehindABadFeed) {
  const auto graph = Parse(R"(
    png = tf.Placeholder() {dtype: DT_STRING, shape: []}
    decoded = tf.DecodePng(png) {channels: 1}
    floats = tf.Cast(decoded) {DstT: DT_FLOAT}
    pixels = tf.EnsureShape(floats) {shape: [?,8,8]}
    y = tf.Neg(floats))");
  EXPECT_EQ(Prune(*graph, Ends({{"floats", {}}}, {"y"})).status().message(),
            "Cast 'floats': the input's shape <unknown> is not fully known; give it with --input "
            "floats=DIMxDIMx.., a number for each DIM, or \"scalar\"");
}

TEST(Prune, EnsureShapeTellsTheShape) {
  ExpectRewritten(Prune, R"(
    x = tf.Placeholder() {dtype: DT_FLOAT}
    pixels = tf.EnsureShape(x) {shape: [?,8,8]}
    y = tf.Neg(pixels))",
                  R"(
    pixels = arg f32[1,8,8]
    y = tf.Neg(pixels)
    out = ret(y))",
                  {.context = Ends({{"pixels", {}}}, {"y"})});
}

TEST(Prune, NamesWhatToFeedInsteadOfStrings) {
  const auto error = [](std::string_view text) {
    const auto graph = Parse(text);
    return std::string(Prune(*graph, {}).status().message());
  };
  EXPECT_EQ(error(R"(
    png = tf.Placeholder() {dtype: DT_STRING, shape: []}
    decoded = tf.DecodePng(png) {channels: 1}
    floats = tf.Cast(decoded) {DstT: DT_FLOAT})"),
            "Placeholder 'png': an input of type string is not possible; compute what follows from "
            "it in the app and feed that: --input decoded=DIMxDIMx..");
  EXPECT_EQ(error(R"(
    words = tf.Placeholder() {dtype: DT_STRING, shape: [2]}
    lower = tf.StringLower(words)
    ids = tf.StringToHashBucketFast(lower) {num_buckets: 7}
    lengths = tf.StringLength(words))"),
            "Placeholder 'words': an input of type string is not possible; compute what follows "
            "from it in the app and feed them: --input lengths=DIMxDIMx.. --input "
            "ids=DIMxDIMx..");
  EXPECT_THAT(error(R"(
    text = tf.Placeholder() {dtype: DT_STRING, shape: [1]}
    split = tf.StringSplitV2(text, text)
    ids = tf.StringToHashBucketFast(split:1) {num_buckets: 7})"),
              testing::EndsWith("--input ids=DIMxDIMx.."));
}

}  // namespace
}  // namespace linnet::converter
