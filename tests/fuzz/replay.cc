// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target on inputs that are known: a main() for builds without libFuzzer.
//   fuzz_x FOLDER...   every file in them, in the order of their names
// Exit 1, naming the input, where one takes longer or more memory than the fuzzer would let it.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr std::chrono::seconds kMostTime(60);
constexpr int64_t kMostResidentKiB = 1024 * 1024;

std::vector<std::filesystem::path> FilesIn(int count, char** folders) {
  std::vector<std::filesystem::path> files;
  for (int i = 0; i < count; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(folders[i]))
      if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// What is wrong with how the target took it; null when nothing is.
const char* Replay(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  const auto start = std::chrono::steady_clock::now();
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  if (std::chrono::steady_clock::now() - start > kMostTime) return "takes more than 60 s";
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss > kMostResidentKiB)
    return "takes more than 1 GiB";
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::filesystem::path> files = FilesIn(argc - 1, argv + 1);
  for (const std::filesystem::path& file : files) {
    std::fprintf(stderr, "%s\n", file.c_str());  // the last one named is who broke it
    if (const char* problem = Replay(file); problem != nullptr)
      return std::fprintf(stderr, "%s: %s\n", file.c_str(), problem), 1;
  }
  std::printf("%zu inputs\n", files.size());
  return files.empty() ? 1 : 0;
}
