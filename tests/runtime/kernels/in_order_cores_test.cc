// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/in_order_cores.h"

#include <gtest/gtest.h>

#include <string>

namespace linnet::kernels {
namespace {

std::string Processor(const std::string& part) {
  return "processor\t: 0\nBogoMIPS\t: 48.00\nFeatures\t: fp asimd evtstrm aes pmull sha1 sha2 "
         "crc32\n"
         "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x2\nCPU part\t: " +
         part + "\nCPU revision\t: 0\n\n";
}

// The answer must not depend on how the text is cut into pieces.
bool AllIssueInOrder(const std::string& text) {
  ProcessorList whole, by_letters;
  whole.Read(text.data(), static_cast<int64_t>(text.size()));
  for (const char& c : text) by_letters.Read(&c, 1);
  EXPECT_EQ(whole.AllIssueInOrder(), by_letters.AllIssueInOrder());
  return whole.AllIssueInOrder();
}

TEST(ProcessorList, KnowsSmallCores) {
  EXPECT_TRUE(AllIssueInOrder(Processor("0xd05") + Processor("0xd05")));
  EXPECT_TRUE(AllIssueInOrder(Processor("0xd03")));
  EXPECT_FALSE(AllIssueInOrder(Processor("0xd0b")));  // Cortex-A76
}

TEST(ProcessorList, PrefersTheLargerCores) {
  EXPECT_FALSE(AllIssueInOrder(Processor("0xd05") + Processor("0xd0b")));
}

TEST(ProcessorList, KnowsNothingOfOtherTexts) {
  EXPECT_FALSE(AllIssueInOrder(""));
  EXPECT_FALSE(AllIssueInOrder("model name\t: 0xd05\n"));
}

}  // namespace
}  // namespace linnet::kernels
