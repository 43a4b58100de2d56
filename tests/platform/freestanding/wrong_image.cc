// SPDX-License-Identifier: Apache-2.0
// An image with a heap, files, printf, a clock, an environment, an exception and an object that is
// constructed before main; image_check_test.py wants each of them to be found.
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

struct Constructed {
  Constructed() : memory(std::malloc(64)) {}
  void* memory;
} constructed;

}  // namespace

int main() {
  std::FILE* const file = std::fopen("file", "r");
  std::printf("%d %p\n", static_cast<int>(std::time(nullptr)), constructed.memory);
  if (std::getenv("HOME") == nullptr) throw 1;
  return file == nullptr;
}
