// SPDX-License-Identifier: Apache-2.0
// Damaged plans on the machine's Vulkan: whatever a plan says, a session of it is refused or runs,
// and nothing writes beside the memory that it was given. The same arguments try the same plans.
//   vulkan_mutants [FIRST-]COUNT FOLDER...   mutants FIRST (default 0) to COUNT - 1 of the plans in
//                                            the folders
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "runtime/plan/file_header.h"
#include "tests/fuzz/structure/plan_mutator.h"
#include "tests/fuzz/structure/test_session.h"

namespace linnet::fuzz {
namespace {

constexpr size_t kMostBytes = size_t{1} << 16;

struct Counts {
  int64_t opened = 0, prepared = 0, on_gpu = 0, succeeded = 0;
};

std::vector<Bytes> ReadAll(int count, char** folders) {
  std::vector<std::filesystem::path> paths;
  for (int i = 0; i < count; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(folders[i]))
      if (entry.is_regular_file()) paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<Bytes> files;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return files;
}

// Some bytes of the structure, whatever they mean.
Bytes FlipBytes(Bytes file, Random& random) {
  if (file.size() <= sizeof(FileHeader)) return file;
  const size_t room = file.size() - sizeof(FileHeader);
  for (size_t count = 1 + random.Below(3); count > 0; --count)
    file[sizeof(FileHeader) + random.Below(room)] ^= static_cast<uint8_t>(1 + random.Below(255));
  return file;
}

Bytes MutantOf(const std::vector<Bytes>& files, Random& random) {
  const Bytes& file = random.Pick(files);
  switch (random.Below(8)) {
    case 0:
      return FlipBytes(file, random);
    case 1:
      return CrossPlans(file, random.Pick(files), kMostBytes, random.Next());
    case 2:  // changed twice
      return MutatePlan(MutatePlan(file, kMostBytes, random.Next()), kMostBytes, random.Next());
    default:
      return MutatePlan(file, kMostBytes, random.Next());
  }
}

// Every byte is possible, so floats are NaN, infinite or ordinary.
std::vector<Bytes> InputsOf(const TestSession& session, Random& random) {
  std::vector<Bytes> inputs;
  for (int32_t i = 0; i < linnet_session_num_inputs(session.get()); ++i) {
    Bytes bytes(session.InputBytes(i));
    const linnet_dtype dtype = linnet_session_input_info(session.get(), i)->dtype;
    const bool ordinary = random.OneIn(2) && dtype == LINNET_FLOAT32;
    for (size_t at = 0; at + sizeof(float) <= bytes.size() && ordinary; at += sizeof(float)) {
      const auto value = static_cast<float>(random.Real());
      std::memcpy(bytes.data() + at, &value, sizeof(value));
    }
    if (!ordinary)
      for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Next() >> 32);
    if (dtype == LINNET_BOOL)
      for (uint8_t& byte : bytes) byte &= 1;
    inputs.push_back(std::move(bytes));
  }
  return inputs;
}

void RunSome(TestSession& session, Random& random, Counts* counts) {
  for (int run = 0; run < 3; ++run) {
    if (run == 1) session.Bind(random);
    if (run == 2) session.Unbind();
    if (session.Run(InputsOf(session, random)) != LINNET_OK) continue;
    ++counts->succeeded;
    for (int32_t i = 0; i < linnet_session_num_outputs(session.get()); ++i) session.Output(i);
  }
}

void Try(const Bytes& file, Random& random, Counts* counts) {
  linnet_plan* opened = nullptr;
  linnet_error error{};
  const linnet_status status =
      linnet_plan_open_memory(file.data(), file.size(), nullptr, &opened, &error);
  if (status == LINNET_INTERNAL) Broken(error.text);
  if (status != LINNET_OK) return;
  const std::unique_ptr<linnet_plan, void (*)(linnet_plan*)> plan(opened, &linnet_plan_close);
  ++counts->opened;
  for (int32_t i = 0; i < linnet_plan_num_signatures(opened); ++i) {
    TestSession session(opened, linnet_plan_signature(opened, i), LINNET_BACKEND_VULKAN, 1,
                        random.OneIn(4));
    if (!session.good()) continue;
    ++counts->prepared;
    linnet_backend_info info{};
    info.struct_size = sizeof(info);
    if (linnet_session_backend(session.get(), &info) != LINNET_OK) Broken("no linnet_backend_info");
    // The host's program is tried by fuzz_plan_structure.
    if (info.backend != LINNET_BACKEND_VULKAN) continue;
    ++counts->on_gpu;
    RunSome(session, random, counts);
    if (linnet_session_backend(session.get(), &info) != LINNET_OK || info.device_lost != 0)
      Broken("the GPU is lost");
  }
}

int TryAll(int64_t first, int64_t last, const std::vector<Bytes>& files) {
  Counts counts;
  for (int64_t i = first; i < last; ++i) {
    // After a crash: the mutant that caused it.
    std::fprintf(stderr, "mutant %lld\n", static_cast<long long>(i));
    Random random(static_cast<uint64_t>(i));
    Try(MutantOf(files, random), random, &counts);
  }
  std::printf("%lld mutants: %lld open, %lld sessions, %lld on the GPU, %lld runs there\n",
              static_cast<long long>(last - first), static_cast<long long>(counts.opened),
              static_cast<long long>(counts.prepared), static_cast<long long>(counts.on_gpu),
              static_cast<long long>(counts.succeeded));
  if (counts.on_gpu * 4 >= last - first) return 0;
  // Else nothing is tested.
  std::printf("too few of them on the GPU\n");
  return 1;
}

bool RunsOnGpu(const Bytes& file) {
  Random random(0);
  Counts counts;
  Try(file, random, &counts);
  return counts.on_gpu > 0;
}

}  // namespace
}  // namespace linnet::fuzz

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: vulkan_mutants [FIRST-]COUNT FOLDER...\n", stderr);
    return 1;
  }
  char* rest = nullptr;
  int64_t first = 0, last = std::strtoll(argv[1], &rest, 10);
  if (*rest == '-') {
    first = last;
    last = std::strtoll(rest + 1, nullptr, 10);
  }
  const std::vector<linnet::fuzz::Bytes> files = linnet::fuzz::ReadAll(argc - 2, argv + 2);
  if (files.empty()) return 1;
  if (std::ranges::none_of(files, linnet::fuzz::RunsOnGpu)) {
    std::printf("no Vulkan device\n");
    return 77;
  }
  const int result = linnet::fuzz::TryAll(first, last, files);
  // As in conformance_test.cc.
  if (std::getenv("VK_INSTANCE_LAYERS") != nullptr) {
    std::fflush(nullptr);
    std::_Exit(result);
  }
  return result;
}
