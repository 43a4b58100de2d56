// SPDX-License-Identifier: Apache-2.0
// Constants that a plan cannot hold, or that are damaged.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/converter/cli/linnet_fixture.h"

namespace linnet::converter {
namespace {

using ConvertConstantsTest = LinnetTest;

std::string ConstantNode(const std::string& dtype, const std::string& tensor) {
  return fmt::format(R"(node {{ name: "c" op: "Const" attr {{ key: "dtype" value {{ type: {} }} }}
    attr {{ key: "value" value {{ tensor {{ {} }} }} }} }}
)",
                     dtype, tensor);
}

// A model may compute with such values, but a plan cannot hold them: exit code 2, not an internal
// error.
TEST_F(ConvertConstantsTest, FetchedConstantsOfTypesThatLinnetLacks) {
  const std::pair<const char*, const char*> cases[] = {{"complex64", "scomplex_val: [1, 2]"},
                                                       {"complex128", "dcomplex_val: [1, 2]"},
                                                       {"uint32", "uint32_val: 1"},
                                                       {"uint64", "uint64_val: 1"},
                                                       {"variant", ""},
                                                       {"resource", ""},
                                                       {"int4", "int_val: 1"},
                                                       {"float8_e5m2", ""}};
  for (const auto& [type, value] : cases) {
    std::string name = std::string("DT_") + type;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    // Large enough that constants are views of the mapped file; in text form they are written out.
    for (const char* size : {"1", "2000"}) {
      WriteAll(model_,
               ConstantNode(name, fmt::format("dtype: {} tensor_shape {{ dim {{ size: {} }} }} {}",
                                              name, size, value)));
      EXPECT_EQ(Run(fmt::format("convert {} -o {} --output c", model_, plan_)), 2) << err_;
      EXPECT_NE(LastLine().find(fmt::format("'c': Linnet has no tensors of type {}", type)),
                std::string::npos)
          << err_;
      EXPECT_NE(LastLine().find("fetch what is made of it"), std::string::npos) << err_;
      EXPECT_FALSE(std::filesystem::exists(plan_));
    }
  }
}

TEST_F(ConvertConstantsTest, ConstantsWhoseTensorHasAnotherType) {
  const std::string identity =
      R"(node { name: "y" op: "Identity" input: "c" attr { key: "T" value { type: DT_FLOAT } } })";
  for (const auto& [tensor, reason] :
       {std::pair{"float_val: 1", "attr 'dtype' is float, but the value is of no type"},
        std::pair{"dtype: DT_INT32 int_val: 1", "attr 'dtype' is float, but the value is int32"},
        std::pair{"dtype: DT_UINT32 uint32_val: 1",
                  "attr 'dtype' is float, but the value is uint32"},
        std::pair{"dtype: DT_STRING string_val: 'a'",
                  "attr 'dtype' is float, but the value is string"}}) {
    WriteAll(model_, ConstantNode("DT_FLOAT", tensor) + identity);
    EXPECT_EQ(Run(fmt::format("convert {} -o {}", model_, plan_)), 2) << err_;
    EXPECT_NE(LastLine().find(fmt::format("'c': {}", reason)), std::string::npos) << err_;
  }
  // The same bits with another meaning.
  WriteAll(model_, ConstantNode("DT_QINT8", "dtype: DT_INT8 int_val: 1"));
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --output c", model_, plan_)), 2) << err_;
  WriteAll(model_, ConstantNode("DT_QINT8", "dtype: DT_QINT8 int_val: 1"));
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --output c", model_, plan_)), 0) << err_;
}

TEST_F(ConvertConstantsTest, ComplexConstantsThatAreDamagedOrTooLarge) {
  const std::string part = R"(node { name: "y" op: "Real" input: "c" })";
  const auto convert = [&](const char* size, const char* value) {
    const std::string shape = fmt::format("tensor_shape {{ dim {{ size: {} }} }}", size);
    WriteAll(model_,
             ConstantNode("DT_COMPLEX64", fmt::format("dtype: DT_COMPLEX64 {} {}", shape, value)) +
                 part);
    return Run(fmt::format("convert {} -o {}", model_, plan_));
  };
  EXPECT_EQ(convert("3", "scomplex_val: [1, 2]"), 0) << err_;
  EXPECT_EQ(convert("3", "tensor_content: 'abc'"), 2) << err_;
  EXPECT_NE(LastLine().find("'c': the complex value has 3 bytes, want 24"), std::string::npos)
      << err_;
  EXPECT_EQ(convert("1000000000", "scomplex_val: [1, 2]"), 2) << err_;
  EXPECT_NE(LastLine().find("would need 8000000000 bytes"), std::string::npos) << err_;
}

}  // namespace
}  // namespace linnet::converter
