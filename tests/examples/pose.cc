// SPDX-License-Identifier: Apache-2.0
// Finds the 17 key points of a person with MoveNet Lightning, and draws the skeleton:
//   pose movenet.linnet person.png skeleton.png [threads]
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "linnet/linnet.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#include <stb/stb_image.h>
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#define STB_IMAGE_RESIZE_STATIC
#include <stb/stb_image_resize.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace {

constexpr int kKeyPoints = 17;
constexpr const char* kNames[kKeyPoints] = {
    "nose",           "left eye",   "right eye",   "left ear",   "right ear",   "left shoulder",
    "right shoulder", "left elbow", "right elbow", "left wrist", "right wrist", "left hip",
    "right hip",      "left knee",  "right knee",  "left ankle", "right ankle"};
constexpr std::array<int, 2> kBones[] = {{0, 1},  {0, 2},   {1, 3},   {2, 4},   {0, 5},   {0, 6},
                                         {5, 6},  {5, 7},   {7, 9},   {6, 8},   {8, 10},  {5, 11},
                                         {6, 12}, {11, 12}, {11, 13}, {13, 15}, {12, 14}, {14, 16}};
constexpr float kSure = 0.3f;  // points with at least this score are drawn

struct KeyPoint {
  float y, x, score;  // y and x, as fractions of the picture's size
};

struct Picture {
  int width = 0, height = 0;
  std::vector<uint8_t> rgb;

  bool Load(const char* path) {
    int channels = 0;
    const std::unique_ptr<uint8_t, void (*)(void*)> pixels(
        stbi_load(path, &width, &height, &channels, 3), stbi_image_free);
    if (pixels == nullptr) return false;
    rgb.assign(pixels.get(), pixels.get() + size_t{3} * width * height);
    return true;
  }

  void Dot(float cx, float cy, float radius, std::array<uint8_t, 3> colour) {
    for (int y = static_cast<int>(cy - radius); y <= static_cast<int>(cy + radius); ++y)
      for (int x = static_cast<int>(cx - radius); x <= static_cast<int>(cx + radius); ++x)
        if (x >= 0 && y >= 0 && x < width && y < height &&
            std::hypot(static_cast<float>(x) - cx, static_cast<float>(y) - cy) <= radius)
          std::copy(colour.begin(), colour.end(), rgb.begin() + 3 * (size_t{1} * y * width + x));
  }

  void Line(float x0, float y0, float x1, float y1, float radius, std::array<uint8_t, 3> colour) {
    const int steps = 1 + static_cast<int>(std::hypot(x1 - x0, y1 - y0));
    for (int i = 0; i <= steps; ++i) {
      const float t = static_cast<float>(i) / static_cast<float>(steps);
      Dot(x0 + t * (x1 - x0), y0 + t * (y1 - y0), radius, colour);
    }
  }
};

// The picture in the size and element type of the model's input.
bool Feed(const Picture& picture, linnet::Session& session) {
  const linnet::TensorInfo& info = *session.input_info(0);
  if (info.rank != 4 || info.dims[3] != 3) return false;
  const int height = static_cast<int>(info.dims[1]), width = static_cast<int>(info.dims[2]);
  std::vector<uint8_t> resized(size_t{3} * width * height);
  stbir_resize_uint8(picture.rgb.data(), picture.width, picture.height, 0, resized.data(), width,
                     height, 0, 3);
  if (info.dtype == LINNET_INT32)
    std::ranges::copy(resized, session.Input<int32_t>(0).begin());
  else if (info.dtype == LINNET_FLOAT32)
    std::ranges::copy(resized, session.Input<float>(0).begin());
  else
    return false;
  return true;
}

void Draw(std::span<const KeyPoint> points, Picture& picture) {
  const float radius = std::max(2.0f, static_cast<float>(picture.width) / 128.0f);
  const auto x = [&](int i) { return points[i].x * static_cast<float>(picture.width); };
  const auto y = [&](int i) { return points[i].y * static_cast<float>(picture.height); };
  for (const auto& [a, b] : kBones)
    if (points[a].score >= kSure && points[b].score >= kSure)
      picture.Line(x(a), y(a), x(b), y(b), radius / 2, {0, 220, 255});
  for (int i = 0; i < kKeyPoints; ++i)
    if (points[i].score >= kSure) picture.Dot(x(i), y(i), radius, {255, 80, 0});
}

int Fail(const char* what) {
  std::fprintf(stderr, "pose: %s\n", what);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return Fail("usage: pose MOVENET.linnet PICTURE OUT.png [THREADS]");
  auto plan = linnet::Plan::Open(argv[1]);
  if (!plan) return Fail(plan.error().text);
  auto session = linnet::Session::Create(*plan, {.threads = argc > 4 ? std::atoi(argv[4]) : 1});
  if (!session) return Fail(session.error().text);
  Picture picture;
  if (!picture.Load(argv[2])) return Fail("cannot read the picture");

  std::vector<double> times;
  for (int run = 0; run < 20; ++run) {
    if (!Feed(picture, *session)) return Fail("the plan's input is not a picture");
    const auto start = std::chrono::steady_clock::now();
    if (const auto error = session->Run()) return Fail(error->text);
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
            .count());
  }
  std::ranges::sort(times);

  const auto values = session->Output<float>(0);
  if (values.size() != 3 * kKeyPoints) return Fail("the plan's output is not 17 key points");
  std::vector<KeyPoint> points;
  for (int i = 0; i < kKeyPoints; ++i)
    points.push_back({values[3 * i], values[3 * i + 1], values[3 * i + 2]});
  std::printf("%-16s %6s %6s %6s\n", "key point", "y", "x", "score");
  for (int i = 0; i < kKeyPoints; ++i)
    std::printf("%-16s %6.3f %6.3f %6.3f\n", kNames[i], points[i].y, points[i].x, points[i].score);
  linnet_memory memory{.struct_size = sizeof(memory)};
  linnet_session_memory(session->get(), &memory);
  std::printf("\nlatency  %.2f ms (median of %zu runs)\narena    %.0f KiB\n",
              times[times.size() / 2], times.size(), static_cast<double>(memory.arena) / 1024);

  Draw(points, picture);
  if (stbi_write_png(argv[3], picture.width, picture.height, 3, picture.rgb.data(), 0) == 0)
    return Fail("cannot write the picture");
  std::printf("skeleton %s\n", argv[3]);
}
