// SPDX-License-Identifier: Apache-2.0
// A kernel profile, as an application might give it: it is refused with a sentence, or read. The
// target corrects the head of half of the inputs, which differ by the first byte, so that the steps
// behind it are reached.
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/backends/portable/backend.h"
#include "runtime/session/kernel_profile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace linnet;
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 != 0)
    text.insert(0, "linnet kernel profile 1\ncpu c\ninstructions i\nkernels k\nthreads 1\n");
  // Of its own size, so that AddressSanitizer sees each access behind it.
  const std::vector<char> bytes(text.begin(), text.end());
  const Backend* const backends[] = {&portable::GetBackend()};
  Region region;
  KernelProfile profile;
  Diagnostic diagnostic;
  const Status status = KernelProfile::Read({bytes.data(), bytes.size()}, {"c", "i", "k", 1},
                                            backends, region, &profile, &diagnostic);
  if (status.ok() == (diagnostic.text[0] != '\0')) __builtin_trap();
  if (!status.ok() && profile.size() != 0) __builtin_trap();
  const InputInfo inputs[] = {{{DType::kFloat32, {2, 3}}}};
  const TensorType outputs[] = {{DType::kFloat32, {2, 3}}};
  const Backend* found =
      KernelProfile::Find(profile, {OpKind::kUnary, nullptr, inputs, outputs}, {});
  if (found != nullptr && found != backends[0]) __builtin_trap();
  return 0;
}
