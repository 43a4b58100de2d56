// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/in_order_cores.h"

#include <algorithm>
#include <string_view>

#if defined(__aarch64__) && defined(__linux__)
#include <fcntl.h>
#include <unistd.h>
#endif

namespace linnet::kernels {

void ProcessorList::Read(const char* text, int64_t size) {
  for (const char c : std::string_view(text, size)) {
    if (c == '\n') {
      EndLine();
    } else if (line_size_ < int64_t{sizeof(line_)}) {
      line_[line_size_++] = c;
    }
  }
}

void ProcessorList::EndLine() {
  const std::string_view line(line_, line_size_);
  line_size_ = 0;
  constexpr std::string_view kPart = "CPU part";
  if (line.substr(0, kPart.size()) != kPart) return;
  ++cores_;
  // Other designers than Arm number their cores otherwise, but use none of these numbers.
  for (const std::string_view part : {"0xd03", "0xd05"})
    in_order_cores_ += line.find(part) != line.npos;
}

#if defined(__aarch64__) && defined(__linux__)
namespace {

bool ReadCoresIssueInOrder() {
  const int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ProcessorList list;
  char text[512];
  for (ssize_t size; (size = read(file, text, sizeof(text))) > 0;) list.Read(text, size);
  close(file);
  return list.AllIssueInOrder();
}

}  // namespace

bool CoresIssueInOrder() {
  static const bool in_order = ReadCoresIssueInOrder();
  return in_order;
}
#endif

}  // namespace linnet::kernels
