// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/backends/vulkan/shaped_nets.h"

#include <string>

namespace linnet::vulkan {
namespace {

// Writes a graph line by line; each line's value is named after its number.
class Lines {
 public:
  explicit Lines(const std::string& input) : text_(input + "\n") {}

  // "{0}" and "{1}" stand for the operands.
  std::string Add(std::string line, const std::string& a, const std::string& b = "") {
    for (const auto& [mark, name] : {std::pair("{0}", a), std::pair("{1}", b)})
      for (size_t at; (at = line.find(mark)) != std::string::npos;) line.replace(at, 3, name);
    std::string name = "n" + std::to_string(count_++);
    text_ += name + " = " + line + "\n";
    return name;
  }
  std::string Weights(const std::string& shape) {
    return "const f32[" + shape + "] seed=" + std::to_string(++seed_) + " min=-0.2 max=0.2";
  }
  std::string Finish(const std::string& result) const {
    return text_ + "out = ret(" + result + ")";
  }

 private:
  std::string text_;
  int count_ = 0, seed_ = 0;
};

std::string Text(int number) { return std::to_string(number); }

constexpr const char* kRelu6 = "range: {min: 0, max: 6}";

std::string Pointwise(Lines& lines, const std::string& x, int from, int to,
                      const std::string& attrs) {
  return lines.Add("Conv2D({0}, " + lines.Weights(Text(to) + ",1,1," + Text(from)) + ", " +
                       lines.Weights(Text(to)) + ") {" + attrs + "}",
                   x);
}

std::string Depthwise(Lines& lines, const std::string& x, int channels, int stride) {
  const std::string pads = stride == 1 ? "pad_top: 1, pad_bottom: 1, pad_left: 1, pad_right: 1"
                                       : "stride_h: 2, stride_w: 2, pad_bottom: 1, pad_right: 1";
  return lines.Add("DepthwiseConv2D({0}, " + lines.Weights("3,3," + Text(channels)) + ", " +
                       lines.Weights(Text(channels)) + ") {" + pads + ", " + kRelu6 + "}",
                   x);
}

std::string Project(Lines& lines, const std::string& x, int from, int to) {
  return lines.Add("FullyConnected({0}, " + lines.Weights(Text(to) + "," + Text(from)) + ", " +
                       lines.Weights(Text(to)) + ")",
                   x);
}

std::string Norm(Lines& lines, const std::string& x) {
  return lines.Add("LayerNorm({0}, const f32[16] fill=1, const f32[16] fill=0) {epsilon: 0.001}",
                   x);
}

// [tokens, 16] as two heads.
std::string Heads(Lines& lines, const std::string& x) {
  const std::string split = lines.Add("Reshape({0}) {shape: [9, 2, 8]}", x);
  return lines.Add("Transpose({0}) {perm: [1, 0, 2]}", split);
}

}  // namespace

std::string MobileNetV2Shaped(bool full_size) {
  Lines lines(full_size ? "x = arg f32[1,224,224,3]" : "x = arg f32[1,32,32,3]");
  int channels = full_size ? 32 : 8;
  std::string at =
      lines.Add("Conv2D({0}, " + lines.Weights(Text(channels) + ",3,3,3") +
                    ") {stride_h: 2, stride_w: 2, pad_bottom: 1, pad_right: 1, " + kRelu6 + "}",
                "x");
  constexpr struct {
    int expand, channels, full_channels, repeats, stride;
  } kStages[] = {{1, 4, 16, 1, 1},  {6, 6, 24, 2, 2},   {6, 8, 32, 3, 2},  {6, 12, 64, 4, 2},
                 {6, 16, 96, 3, 1}, {6, 20, 160, 3, 2}, {6, 24, 320, 1, 1}};
  for (const auto& stage : kStages) {
    const int out = full_size ? stage.full_channels : stage.channels;
    for (int i = 0; i < stage.repeats; ++i) {
      const std::string before = at;
      const int wide = channels * stage.expand;
      if (stage.expand > 1) at = Pointwise(lines, at, channels, wide, kRelu6);
      at = Depthwise(lines, at, wide, i == 0 ? stage.stride : 1);
      at = Pointwise(lines, at, wide, out, "");
      if (i > 0) at = lines.Add("Binary({0}, {1}) {kind: Add}", at, before);
      channels = out;
    }
  }
  const int features = full_size ? 1280 : 64;
  at = Pointwise(lines, at, channels, features, kRelu6);
  at = lines.Add("Reduce({0}) {kind: Mean, axes: [1, 2]}", at);
  const std::string scores = Project(lines, at, features, full_size ? 1000 : 10);
  return lines.Finish(lines.Add("Softmax({0})", scores));
}

std::string ResNetShaped() {
  Lines lines("x = arg f32[1,19,18,16]");
  std::string at = "x";
  const auto conv = [&](const std::string& from, const char* attrs) {
    return lines.Add("Conv2D({0}, " + lines.Weights("16,3,3,16") + ", " + lines.Weights("16") +
                         ") {pad_top: 1, pad_bottom: 1, pad_left: 1, pad_right: 1" + attrs + "}",
                     from);
  };
  for (int block = 0; block < 2; ++block) {
    const std::string inside = conv(conv(at, ", range: {min: 0, max: inf}"), "");
    at = lines.Add("Clamp({0}) {range: {min: 0, max: inf}}",
                   lines.Add("Binary({0}, {1}) {kind: Add}", inside, at));
  }
  return lines.Finish(at);
}

std::string EncoderShaped() {
  Lines lines("x = arg f32[9,16] ids = arg i32[9]");
  const std::string words = lines.Add("Gather(" + lines.Weights("7,16") + ", {0})", "ids");
  std::string at = lines.Add("Binary({0}, {1}) {kind: Add}", words, "x");
  for (int block = 0; block < 2; ++block) {
    const std::string normal = Norm(lines, at);
    const std::string query = Heads(lines, Project(lines, normal, 16, 16));
    const std::string key = Heads(lines, Project(lines, normal, 16, 16));
    const std::string value = Heads(lines, Project(lines, normal, 16, 16));
    const std::string scores = lines.Add("BatchMatMul({0}, {1}) {transpose_b: true}", query, key);
    const std::string scaled = lines.Add("Binary({0}, const f32[] {0.35}) {kind: Mul}", scores);
    const std::string mixed =
        lines.Add("BatchMatMul({0}, {1})", lines.Add("Softmax({0})", scaled), value);
    const std::string together = lines.Add("Reshape({0}) {shape: [9, 16]}",
                                           lines.Add("Transpose({0}) {perm: [1, 0, 2]}", mixed));
    at = lines.Add("Binary({0}, {1}) {kind: Add}", Project(lines, together, 16, 16), at);
    const std::string hidden = Project(lines, Norm(lines, at), 16, 64);
    const std::string active = lines.Add("Unary({0}) {kind: GeluErf}", hidden);
    at = lines.Add("Binary({0}, {1}) {kind: Add}", Project(lines, active, 64, 16), at);
  }
  return lines.Finish(Norm(lines, at));
}

}  // namespace linnet::vulkan
