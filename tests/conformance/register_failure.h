// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace linnet::conformance {

// Registers the test <suite>.cases, which fails with `error`: the file of the suite's cases cannot
// be read.
inline void RegisterFailure(const std::string& suite, const std::string& error) {
  class Failure : public testing::Test {
   public:
    explicit Failure(std::string error) : error_(std::move(error)) {}
    void TestBody() override { FAIL() << error_; }

   private:
    const std::string error_;
  };
  testing::RegisterTest(suite.c_str(), "cases", nullptr, nullptr, __FILE__, __LINE__,
                        [error]() -> testing::Test* { return new Failure(error); });
}

}  // namespace linnet::conformance
