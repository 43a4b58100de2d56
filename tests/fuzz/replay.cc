// SPDX-License-Identifier: Apache-2.0
// A main() for fuzz targets in builds without libFuzzer: runs a target on known inputs.
//   fuzz_x FOLDER...   runs it on every file in the folders, in the order of their names
// Exits with 1 and names the input when one takes more time or memory than libFuzzer would allow.
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

// The problem that the input caused; null when there is none.
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
    std::fprintf(stderr, "%s\n", file.c_str());  // after a crash: the input that caused it
    if (const char* problem = Replay(file); problem != nullptr)
      return std::fprintf(stderr, "%s: %s\n", file.c_str(), problem), 1;
  }
  std::printf("%zu inputs\n", files.size());
  return files.empty() ? 1 : 0;
}
