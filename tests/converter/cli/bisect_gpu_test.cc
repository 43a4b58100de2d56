// SPDX-License-Identifier: Apache-2.0
// `linnet bisect --against vulkan` on a GPU of which one shader computes something else
// (tests/runtime/backends/vulkan/wrong_vulkan.cc). Skipped on machines without a GPU.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "fmt/format.h"
#include "tests/program_fixture.h"

namespace linnet::converter {
namespace {

// Three steps, each with a shader of its own.
constexpr char kModel[] = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1 } dim { size: 8 } dim { size: 8 } dim { size: 4 } } } } }
node { name: "pooled" op: "AvgPool" input: "x" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "ksize" value { list { i: 1 i: 2 i: 2 i: 1 } } }
  attr { key: "strides" value { list { i: 1 i: 2 i: 2 i: 1 } } } attr { key: "padding" value { s: "VALID" } } }
node { name: "scores" op: "Softmax" input: "pooled" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "axis" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: 1 } } } }
node { name: "mean" op: "Mean" input: "scores" input: "axis" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "Tidx" value { type: DT_INT32 } } attr { key: "keep_dims" value { b: false } } }
)";

class BisectGpuTest : public ProgramFixture {
 protected:
  BisectGpuTest() : ProgramFixture(LINNET_PROGRAM) {
    model_ = WriteAll(folder_ / "model.pbtxt", kModel);
  }
  ~BisectGpuTest() override {
    for (const char* name : {"LD_LIBRARY_PATH", "LINNET_TEST_VULKAN", "LINNET_TEST_WRONG_SHADER"})
      unsetenv(name);
  }

  // Lets the programs that Run starts find another library. False on machines without Vulkan.
  static bool UseWrongVulkan() {
    void* const library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    Dl_info info{};
    const bool found = dladdr(dlsym(library, "vkGetInstanceProcAddr"), &info) != 0;
    if (found) setenv("LINNET_TEST_VULKAN", info.dli_fname, 1);
    dlclose(library);
    setenv("LD_LIBRARY_PATH", LINNET_WRONG_VULKAN, 1);
    return found;
  }
  int BisectWithWrong(const char* shader) {
    setenv("LINNET_TEST_WRONG_SHADER", shader, 1);
    return Run(fmt::format("bisect {} --against vulkan", model_));
  }

  std::string model_;
};

TEST_F(BisectGpuTest, NamesTheStepOfAWrongShader) {
  if (!UseWrongVulkan()) GTEST_SKIP() << "no Vulkan library";
  const int code = BisectWithWrong("");
  if (LastLine().find("the GPU does not run it: ") != std::string::npos) GTEST_SKIP() << err_;
  ASSERT_EQ(code, 0) << err_;
  EXPECT_NE(out_.find("no difference in 3 of 3 tensors"), std::string::npos) << out_;
  for (const auto& [shader, step] :
       {std::pair("pool2d", "pooled"), {"softmax", "scores"}, {"reduce", "mean"}}) {
    EXPECT_EQ(BisectWithWrong(shader), 3) << out_ << err_;
    EXPECT_NE(LastLine().find(fmt::format("'{}' is the first that differs", step)),
              std::string::npos)
        << shader << ": " << err_;
  }
}

}  // namespace
}  // namespace linnet::converter
