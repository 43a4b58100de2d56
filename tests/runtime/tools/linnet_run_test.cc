// SPDX-License-Identifier: Apache-2.0
// The program itself: its exit codes and its messages.
#include <sys/stat.h>

#include <set>

#include "converter/graph/text/text.h"
#include "converter/place/device_profile.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"
#include "runtime/tools/npy.h"
#include "tests/plans/graph_plan.h"
#include "tests/program_fixture.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/session/placed_plan.h"

namespace linnet {
namespace {

using nlohmann::json;

class LinnetRunTest : public ProgramFixture {
 protected:
  LinnetRunTest() : ProgramFixture(LINNET_RUN_PROGRAM) {
    plan_ = Written("small.linnet", SmallPlan());
  }

  std::string Written(const std::string& name, const std::vector<std::byte>& plan) {
    return WriteAll(folder_ / name, {reinterpret_cast<const char*>(plan.data()), plan.size()});
  }
  // An array of shape `dims` with elements `values`.
  template <typename T>
  std::string Npy(const std::string& name, linnet_dtype dtype, const std::vector<int64_t>& dims,
                  const std::vector<T>& values) {
    linnet_tensor_info info{};
    info.dtype = dtype;
    info.rank = static_cast<int32_t>(dims.size());
    std::copy(dims.begin(), dims.end(), info.dims);
    info.bytes = static_cast<int64_t>(values.size() * sizeof(T));
    EXPECT_EQ(tools::WriteNpy(folder_ / name, info, values.data()), "");
    return folder_ / name;
  }
  json RunJson(const std::string& arguments) {
    EXPECT_EQ(Run(arguments + " --json"), 0) << err_;
    return json::parse(out_, nullptr, /*allow_exceptions=*/false);
  }

  std::string plan_;
};

std::set<std::string> Keys(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

TEST_F(LinnetRunTest, FeedsAndWrites) {
  const std::string x =
      Npy<float>("x.npy", LINNET_FLOAT32, {1, 6, 6, 3}, std::vector<float>(108, 0.5f));
  const std::string index = Npy<uint8_t>("i.npy", LINNET_UINT8, {2}, {1, 0});
  const std::string out = folder_ / "results";
  const json result =
      RunJson(plan_ + " --input x=" + x + " --input=index=" + index + " --output-dir " + out);
  EXPECT_EQ(err_, "");
  EXPECT_EQ(result["outputs"],
            json::parse(R"({"probabilities": ")" + out + R"(/probabilities.npy", "picked": ")" +
                        out + R"(/picked.npy"})"));
  EXPECT_EQ(Keys(result), (std::set<std::string>{"outputs", "tensors"}));
  const json& tensor = result["tensors"]["picked"];
  EXPECT_EQ(Keys(tensor), (std::set<std::string>{"dtype", "shape", "min", "max"}));
  EXPECT_EQ(tensor["dtype"], "f32");
  EXPECT_EQ(tensor["shape"], json::parse("[2, 4]"));
  EXPECT_LE(tensor["min"], tensor["max"]);
  tools::NpyArray picked;
  ASSERT_EQ(tools::ReadNpy(out + "/picked.npy", &picked), "");
  EXPECT_EQ(picked.shape, (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(picked.dtype, LINNET_FLOAT32);
}

TEST_F(LinnetRunTest, MissingInputsAreNoise) {
  const std::string x =
      Npy<float>("x.npy", LINNET_FLOAT32, {1, 6, 6, 3}, std::vector<float>(108, 0.5f));
  EXPECT_EQ(Run(plan_ + " --input x=" + x), 0) << err_;
  EXPECT_NE(err_.find("'index' has no file and is filled with noise (seed 0)"), std::string::npos)
      << err_;
  EXPECT_EQ(err_.find("'x'"), std::string::npos) << err_;
}

TEST_F(LinnetRunTest, ListsInputsWhereThereIsNoSuch) {
  EXPECT_EQ(Run(plan_ + " --input y=y.npy"), 1);
  EXPECT_EQ(LastLine(), "linnet-run: the plan has no input 'y'; it has 'x', 'index'");
  std::string text;
  for (int i = 0; i < 12; ++i)
    text +=
        fmt::format("a{0} = arg f32[1]\nn{0} = Unary(a{0}) {{kind: Neg}}\nr{0} = ret(n{0})\n", i);
  const std::string plan = Written("wide.linnet", TextPlan(text));
  EXPECT_EQ(Run(plan + " --input inn0=y.npy"), 1);
  EXPECT_EQ(LastLine(),
            "linnet-run: the plan has no input 'inn0'; it has 'in0', 'in10'; all are 'in0', 'in1', "
            "'in2', 'in3', 'in4', 'in5', 'in6', 'in7', 'in8', 'in9' and 2 more");
}

TEST_F(LinnetRunTest, ShowsOutputs) {
  ASSERT_EQ(Run(plan_), 0) << err_;
  EXPECT_NE(out_.find("probabilities  f32[1,"), std::string::npos) << out_;
  EXPECT_NE(out_.find("picked         f32[2,4]  {"), std::string::npos) << out_;
  ASSERT_EQ(Run("--version"), 0) << err_;
  EXPECT_TRUE(out_.starts_with(std::string("linnet-run ") + linnet_version())) << out_;
}

// As numpy writes them by itself.
TEST_F(LinnetRunTest, Float64IsRoundedAndSaid) {
  const std::string x =
      Npy<double>("x.npy", LINNET_FLOAT64, {1, 6, 6, 3}, std::vector<double>(108, 0.1));
  EXPECT_EQ(Run(plan_ + " --input x=" + x), 0) << err_;
  EXPECT_NE(err_.find(x + " has float64, which is rounded to float32"), std::string::npos) << err_;
  const std::string index = Npy<double>("i.npy", LINNET_FLOAT64, {2}, {1, 0});
  EXPECT_EQ(Run(plan_ + " --input index=" + index), 1);
}

// Other programs read these keys, so they must not change.
TEST_F(LinnetRunTest, BenchAndProfileAsJson) {
  const json result =
      RunJson(plan_ + " --bench --runs 7 --warmup 1 --threads 2 --profile --backend portable");
  EXPECT_EQ(Keys(result), (std::set<std::string>{"outputs",
                                                 "tensors",
                                                 "load_ms",
                                                 "first_ms",
                                                 "min_ms",
                                                 "median_ms",
                                                 "p90_ms",
                                                 "mean_ms",
                                                 "runs",
                                                 "threads",
                                                 "backend",
                                                 "self_test",
                                                 "xnnpack",
                                                 "arena_bytes",
                                                 "session_bytes",
                                                 "prepared_bytes",
                                                 "backend_heap_bytes",
                                                 "weights_bytes",
                                                 "plan_bytes",
                                                 "rss_growth_bytes",
                                                 "peak_rss_bytes",
                                                 "steps",
                                                 "fma_gflops",
                                                 "memory_gb_per_s",
                                                 "fma_bound_ms",
                                                 "memory_bound_ms"}));
  EXPECT_EQ(result["runs"], 7);
  EXPECT_EQ(result["threads"], 2);
  EXPECT_EQ(result["backend"], "portable");
  EXPECT_EQ(result["plan_bytes"], SmallPlan().size());
  EXPECT_GE(result["session_bytes"], result["arena_bytes"]);
  EXPECT_GE(result["median_ms"], result["min_ms"]);
  EXPECT_GE(result["p90_ms"], result["median_ms"]);
  EXPECT_GE(result["mean_ms"], result["min_ms"]);
  for (const char* key : {"fma_gflops", "memory_gb_per_s", "fma_bound_ms", "memory_bound_ms"})
    EXPECT_GT(result[key], 0.0) << key;
  ASSERT_GT(result["steps"].size(), 3u);
  for (size_t i = 0; i < result["steps"].size(); ++i) {
    const json& step = result["steps"][i];
    std::set<std::string> keys = Keys(step);
    if (step["op"] == "Conv2D") {
      EXPECT_GT(step["bound_us"], 0.0);
    }
    keys.erase("bound_us");
    EXPECT_EQ(keys, (std::set<std::string>{"index", "op", "source", "backend", "chosen_by",
                                           "median_us", "bytes", "macs", "layout"}));
    EXPECT_EQ(step["layout"], "dense");
    EXPECT_EQ(step["index"], i);
    EXPECT_NE(step["backend"], "xnnpack");
  }
}

TEST_F(LinnetRunTest, TextNamesTheFigures) {
  EXPECT_EQ(Run(plan_ + " --bench --runs 3 --profile"), 0) << err_;
  for (const char* part : {"load ", "first run", "median", "3 runs", "arena", "KiB", "Conv2D",
                           "MMAC", "of bound", " %  ", "GFLOP/s", "bounds "})
    EXPECT_NE(out_.find(part), std::string::npos) << part << "\n" << out_;
}

// A profile of one run measures no machine: its times are those of the first run.
TEST_F(LinnetRunTest, BoundsGoWithABenchmark) {
  const json result = RunJson(plan_ + " --profile");
  EXPECT_FALSE(result.contains("fma_gflops"));
  EXPECT_FALSE(result["steps"][0].contains("bound_us"));
}

// Nobody knows how often the steps of a loop ran.
TEST_F(LinnetRunTest, LoopsHaveNoBounds) {
  const std::string y = Npy<float>("y.npy", LINNET_FLOAT32, {3}, {1, 2, 3});
  const std::string limit = Npy<float>("limit.npy", LINNET_FLOAT32, {}, {1000});
  const json result = RunJson(Written("loop.linnet", LoopPlan()) + " --input in0=" + y +
                              " --input in1=" + limit + " --bench --profile --runs 1");
  EXPECT_GT(result["fma_gflops"], 0.0);
  EXPECT_FALSE(result.contains("fma_bound_ms"));
  for (const json& step : result["steps"]) EXPECT_FALSE(step.contains("bound_us")) << step;
}

TEST_F(LinnetRunTest, MeasuresTheDeviceForTheConverter) {
  const std::string file = folder_ / "device.json";
  EXPECT_EQ(Run(plan_ + " --runs 20 --measure-device " + file), 0) << err_;
  EXPECT_NE(out_.find(file), std::string::npos) << out_;
  const std::vector<std::string> devices = {"cpu"};
  const auto profile = converter::DeviceProfile::Read(file, devices);
  ASSERT_TRUE(profile.ok()) << profile.status() << ReadAll(file);
  EXPECT_GT(profile->RatesOf("cpu").launch_us, 0.0);
  EXPECT_FALSE(profile->measured.at("cpu").empty());
  for (const auto& [name, node] : profile->measured.at("cpu")) EXPECT_GE(node.count, 20) << name;
}

// The number of iterations is not known outside the loop, so its work says nothing about the rates.
TEST_F(LinnetRunTest, LoopsGiveNoRates) {
  const std::string y = Npy<float>("y.npy", LINNET_FLOAT32, {3}, {1, 2, 3});
  const std::string limit = Npy<float>("limit.npy", LINNET_FLOAT32, {}, {1000});
  const std::string file = folder_ / "device.json";
  ASSERT_EQ(Run(Written("loop.linnet", LoopPlan()) + " --input in0=" + y + " --input in1=" + limit +
                " --measure-device " + file),
            0)
      << err_;
  EXPECT_EQ(Keys(json::parse(ReadAll(file))["devices"]["cpu"]), std::set<std::string>{"nodes"});
}

TEST_F(LinnetRunTest, UsageErrors) {
  const std::string wide = Npy<float>("wide.npy", LINNET_FLOAT32, {7}, std::vector<float>(7));
  const std::string text = WriteAll(folder_ / "text.npy", "no array");
  for (const std::string& arguments :
       {std::string(), plan_ + " " + plan_, plan_ + " --frobnicate", plan_ + " --bench --runs 0",
        plan_ + " --threads none", plan_ + " --backend gpu", plan_ + " --input x",
        plan_ + " --input y=" + wide, plan_ + " --input x=" + wide, plan_ + " --input x=" + text,
        plan_ + " --input x=" + (folder_ / "missing.npy"), plan_ + " --signature nope",
        plan_ + " --runs"}) {
    EXPECT_EQ(Run(arguments), 1) << arguments << "\n" << err_;
    EXPECT_TRUE(LastLine().starts_with("linnet-run: ")) << arguments << "\n" << err_;
    EXPECT_EQ(out_, "");
  }
}

TEST_F(LinnetRunTest, BadPlans) {
  EXPECT_EQ(Run(folder_ / "missing.linnet"), 2);
  EXPECT_NE(LastLine().find("missing.linnet"), std::string::npos) << err_;
  const std::string bytes = ReadAll(plan_);
  EXPECT_EQ(Run(WriteAll(folder_ / "half", bytes.substr(0, bytes.size() / 2))), 2);
  EXPECT_EQ(Run(WriteAll(folder_ / "empty", "")), 2);
  EXPECT_EQ(Run(plan_ + " --backend vulkan"), 2);
  EXPECT_NE(LastLine().find("--place vulkan"), std::string::npos) << err_;
}

TEST_F(LinnetRunTest, SaysWhyTheGpuRunsNothing) {
  const auto graph = converter::ParseGraph("x = arg f32[4] y = Softmax(x) out = ret(y)");
  ASSERT_TRUE(graph.ok());
  const std::string plan =
      Written("variants.linnet", VariantsPlan(**graph, {}, converter::DeviceSet({})));
  for (const char* backend : {"vulkan", "auto", "cpu"}) {
    const json result = RunJson(plan + " --bench --runs 1 --backend " + backend);
    EXPECT_EQ(result["backend"], "cpu");
    EXPECT_EQ(err_.find("note: the CPU runs the plan: the converter could place no step") !=
                  std::string::npos,
              backend == std::string("vulkan"))
        << err_;
  }
}

TEST_F(LinnetRunTest, KeepsWhatItLearnsAboutTheGpu) {
  const std::string plan =
      Written("gpu.linnet", VulkanPlan("x = arg f32[4] y = Unary(x) {kind: Exp} out = ret(y)"));
  const std::string cache = folder_ / "cache";
  const std::string run = plan + " --backend vulkan --bench --runs 1 --cache " + cache;
  const json result = RunJson(run);
  if (result["backend"] != "vulkan") GTEST_SKIP() << err_;
  EXPECT_EQ(result["self_test"], "passed");
  EXPECT_EQ(RunJson(run)["self_test"], "cached");
  EXPECT_EQ(Run(run), 0);
  EXPECT_NE(out_.find("self-test of the GPU: cached"), std::string::npos) << out_;
  EXPECT_NE(out_.find("\nGPU: "), std::string::npos) << out_;
  EXPECT_NE(out_.find("; driver: "), std::string::npos) << out_;
  EXPECT_EQ(RunJson(plan + " --backend vulkan --bench --runs 1 --no-self-test")["self_test"],
            "none");
  const std::string whole = ReadAll(cache);
  WriteAll(cache, whole.substr(1));
  EXPECT_EQ(RunJson(run)["self_test"], "passed");
  EXPECT_NE(err_.find("is not used: the cache is damaged"), std::string::npos) << err_;
  EXPECT_EQ(ReadAll(cache), whole) << "it is written anew";
  EXPECT_EQ(Run(plan + " --backend vulkan --cache " + (folder_ / "missing/cache")), 1);
  EXPECT_NE(LastLine().find("missing/cache"), std::string::npos) << err_;
}

// Opening a pipe without a writer would block forever.
TEST_F(LinnetRunTest, PipesAreRefused) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(Run(pipe), 0);
  EXPECT_NE(err_.find("it is a pipe"), std::string::npos) << err_;
  EXPECT_NE(Run(plan_ + " --input x=" + pipe), 0);
  EXPECT_NE(err_.find("it is a pipe"), std::string::npos) << err_;
}

TEST_F(LinnetRunTest, FailuresWhileRunning) {
  const std::string index = Npy<int32_t>("i.npy", LINNET_INT32, {2}, {0, 1'000'000});
  EXPECT_EQ(Run(plan_ + " --input index=" + index), 3);
  EXPECT_NE(LastLine().find("'picked': Gather"), std::string::npos) << err_;
  EXPECT_EQ(Run(plan_ + " --measure-device " + (folder_ / "no/such/folder")), 3);
}

// A name that would clear the screen, that is not UTF-8, and that has the eight-bit control
// sequence introducer.
constexpr const char* kHostileName = "\x1b[2J\xff\xc2\x9blities";
constexpr const char* kItsText = "\\x1b[2J\\xff\\xc2\\x9blities";

std::string Replaced(std::string bytes, const std::string& from, const std::string& to) {
  EXPECT_EQ(from.size(), to.size());
  for (size_t at = 0; (at = bytes.find(from, at)) != std::string::npos; at += to.size())
    bytes.replace(at, from.size(), to);
  return bytes;
}

void ExpectHarmless(const std::string& text) {
  for (const char c : text)
    EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f)) << static_cast<int>(c) << " in " << text;
}

TEST_F(LinnetRunTest, UntrustedNamesAreEscaped) {
  const std::string plan =
      WriteAll(folder_ / "hostile.linnet", Replaced(ReadAll(plan_), "probabilities", kHostileName));
  const std::string out = folder_ / "results";
  ASSERT_EQ(Run(plan + " --profile --output-dir " + out), 0) << err_;
  ExpectHarmless(out_);
  ExpectHarmless(err_);
  EXPECT_NE(out_.find(kItsText), std::string::npos) << out_;
  ASSERT_EQ(Run(plan + " --profile --json --output-dir " + out), 0) << err_;
  ExpectHarmless(out_);
  const json result = json::parse(out_, nullptr, /*allow_exceptions=*/false);
  ASSERT_FALSE(result.is_discarded()) << out_;
  const std::string name = "\x1b[2J\xef\xbf\xbd\xc2\x9blities";
  ASSERT_TRUE(result["outputs"].contains(name)) << out_;
  EXPECT_EQ(result["outputs"][name], out + "/" + kItsText + ".npy");
  tools::NpyArray array;
  EXPECT_EQ(tools::ReadNpy(result["outputs"][name], &array), "");
}

TEST_F(LinnetRunTest, NamesInErrorsAreEscaped) {
  const std::string plan =
      WriteAll(folder_ / "hostile.linnet", Replaced(ReadAll(plan_), "picked", "\x1b[2J\xff."));
  const std::string index = Npy<int32_t>("i.npy", LINNET_INT32, {2}, {0, 1'000'000});
  EXPECT_EQ(Run(plan + " --input index=" + index), 3);
  ExpectHarmless(err_);
  EXPECT_NE(LastLine().find("'\\x1b[2J\\xff.': Gather"), std::string::npos) << err_;
}

TEST_F(LinnetRunTest, MaxBytes) {
  EXPECT_EQ(Run(plan_ + " --max-bytes 100000000"), 0) << err_;
  EXPECT_EQ(Run(plan_ + " --max-bytes 100"), 2);
  EXPECT_NE(LastLine().find("max_bytes"), std::string::npos) << err_;
  for (const char* wrong : {"0", "-1", "12k", "99999999999999999999", ""})
    EXPECT_EQ(Run(plan_ + " --max-bytes '" + wrong + "'"), 1) << wrong;
}

TEST_F(LinnetRunTest, AnUnknownInstructionSet) {
  setenv("LINNET_ISA", "avx3", 1);
  EXPECT_EQ(Run(plan_), 1);
  EXPECT_NE(LastLine().find("LINNET_ISA"), std::string::npos) << err_;
  setenv("LINNET_ISA", "baseline", 1);
  EXPECT_EQ(Run(plan_), 0) << err_;
  unsetenv("LINNET_ISA");
}

#ifndef LINNET_SANITIZED  // sanitizers map the whole address space
class SmallMachine : public ProgramFixture {
 protected:
  SmallMachine() : ProgramFixture("/bin/sh") {}
};

// There is memory for the session, but not for the copy of the input.
TEST_F(SmallMachine, OutOfMemoryIsReported) {
#ifdef LINNET_EMULATED
  GTEST_SKIP() << "the limit would count the emulator's memory too";
#endif
  const std::vector<std::byte> plan =
      TextPlan("x = arg f32[33554432]\ny = Unary(x) {kind: Abs}\nout = ret(y)");
  WriteAll(folder_ / "large.linnet", {reinterpret_cast<const char*>(plan.data()), plan.size()});
  EXPECT_EQ(
      Run("-c 'ulimit -v 220000; exec " LINNET_RUN_PROGRAM " " + (folder_ / "large.linnet") + "'"),
      3);
  EXPECT_NE(LastLine().find("out of memory"), std::string::npos) << err_;
}
#endif

TEST_F(LinnetRunTest, HelpNamesAllOptions) {
  EXPECT_EQ(Run("--help"), 0);
  for (const char* option :
       {"--signature", "--input", "--output-dir", "--backend", "--threads", "--bench", "--warmup",
        "--runs", "--profile", "--json", "--measure-device", "--max-bytes", "--cache",
        "--no-self-test", "--kernels", "--measure-kernels"})
    EXPECT_NE(out_.find(option), std::string::npos) << option;
}

}  // namespace
}  // namespace linnet
