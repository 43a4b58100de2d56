// SPDX-License-Identifier: Apache-2.0
#include "converter/embed/linked_source.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "converter/embed/source_literal.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {
namespace {

constexpr std::string_view kOpNames[] = {
#define LINNET_OP(name, file) #name,
#include "runtime/ops/op_list.def"
#undef LINNET_OP
};

// A table by op: kLinkedOps of kConv2DOp and others.
struct OpTable {
  std::string_view space;   // namespace in linnet, "" for linnet itself
  std::string_view type;    // of a row
  std::string_view suffix;  // of a row's name: "Op"
  std::string_view name;
  std::set<OpKind> ops;  // that can have a row
};

std::set<OpKind> XnnpackOps() {
  return {
#define LINNET_LOWERING(name, file) OpKind::k##name,
#include "runtime/backends/xnnpack/lowerings.def"
#undef LINNET_LOWERING
  };
}

std::set<OpKind> VulkanOps() {
  return {
#define LINNET_LOWERING(name, file) OpKind::k##name,
#include "runtime/backends/vulkan/lowerings.def"
#undef LINNET_LOWERING
  };
}

int Rows(const PlanUse& use) {
  return use.ops.empty() ? 1 : static_cast<int>(*use.ops.rbegin()) + 1;  // an array has a row
}

std::string TableSource(const OpTable& table, const PlanUse& use) {
  std::string declared, rows;
  for (int i = 0; i < Rows(use); ++i) {
    const auto kind = static_cast<OpKind>(i);
    if (!use.ops.contains(kind) || !table.ops.contains(kind)) {
      rows += "    nullptr,\n";
      continue;
    }
    declared += fmt::format("extern const {} k{}{};\n", table.type, kOpNames[i], table.suffix);
    rows += fmt::format("    &k{}{},\n", kOpNames[i], table.suffix);
  }
  const std::string text = fmt::format(
      "struct {0};\n{1}extern const {0}* const {2}[];\nconst {0}* const {2}[] = {{\n{3}}};\n",
      table.type, declared, table.name, rows);
  if (table.space.empty()) return text + "\n";
  return fmt::format("namespace {0} {{\n{1}}}  // namespace {0}\n\n", table.space, text);
}

bool HasGpu(const std::vector<std::string>& backends) {
  return std::ranges::count(backends, "vulkan") > 0;
}

// The constants of runtime/core/linked_parts.h.
std::string PartsSource(const PlanUse& use, bool has_gpu) {
  std::string text;
  for (const auto& [part, is_linked] : {std::pair("Threads", use.threads),
                                        {"Controls", use.controls},
                                        {"Extents", use.extents},
                                        {"Devices", has_gpu},
                                        {"Panels", use.panels},
                                        {"Strips", use.strips},
                                        {"EncodedPanels", use.encoded_panels && use.packing},
                                        {"Packing", use.packing},
                                        {"Plain", !use.packing}})
    text += fmt::format("extern const bool kLinked{0};\nconst bool kLinked{0} = {1};\n", part,
                        is_linked);
  return text + "\n";
}

// The convolutions of runtime/kernels/winograd_conv2d.h.
std::string WinogradSource(const PlanUse& use) {
  return fmt::format(
      R"(namespace kernels {{
struct WinogradFunctions;
extern const WinogradFunctions kWinogradFunctions;
extern const WinogradFunctions* const kLinkedWinograd;
const WinogradFunctions* const kLinkedWinograd = {};
}}  // namespace kernels

)",
      use.winograd && use.packing ? "&kWinogradFunctions" : "nullptr");
}

// The rules of runtime/session/choose_backend.cc suffice where a program was made for its plans.
constexpr std::string_view kNoKernelProfile = R"(struct KernelProfileFunctions;
extern const KernelProfileFunctions* const kLinkedKernelProfile;
const KernelProfileFunctions* const kLinkedKernelProfile = nullptr;

)";

std::string BackendsSource(const std::vector<std::string>& backends) {
  std::string text = "class Backend;\n";
  for (const std::string& name : backends)
    text += fmt::format("namespace {0} {{\nconst Backend& GetBackend();\n}}\n", name);
  text +=
      "namespace api {\n"
      "extern const Backend& (*const kLinkedBackends[])();\n"
      "const Backend& (*const kLinkedBackends[])() = {\n";
  for (const std::string& name : backends) text += fmt::format("    &{}::GetBackend,\n", name);
  // Without a GPU's backend nothing of what its sessions need.
  const bool has_gpu = HasGpu(backends);
  return text + fmt::format(
                    R"(}};
extern const int kNumLinkedBackends;
const int kNumLinkedBackends = {};
struct GpuSessions;
extern const GpuSessions kGpuSessions;
extern const GpuSessions* const kLinkedGpuSessions;
const GpuSessions* const kLinkedGpuSessions = {};
}}  // namespace api

)",
                    backends.size(), has_gpu ? "&kGpuSessions" : "nullptr");
}

}  // namespace

std::string LinkedSource(const PlanUse& use, const std::vector<std::string>& backends,
                         const LibraryVersion& version) {
  std::string text = fmt::format(
      R"(// Written by `linnet embed`: the ops, backends and parts of the runtime that some plans use. This has to be an object file of the program
// itself, linked with Linnet's static archive, so that its tables take the place of the archive's.
{3}

#if LINNET_VERSION_MAJOR != {0} || LINNET_VERSION_MINOR != {1} || LINNET_VERSION_PATCH != {2}
#error "linnet {0}.{1}.{2} wrote this, and the library is another release: run the `linnet embed` of that release"
#endif

namespace linnet {{

)",
      version.major, version.minor, version.patch, kIncludesLibrary);
  text += TableSource({"", "OpDef", "Op", "kLinkedOps", use.ops}, use);
  text += fmt::format(
      "extern const int kNumLinkedOps;\nconst int kNumLinkedOps = {};\n"
      "extern const char kLinkedFor[];\nconst char kLinkedFor[] = {};\n\n",
      Rows(use), SourceLiteral(fmt::format("{}", fmt::join(use.plans, ", "))));
  text += PartsSource(use, HasGpu(backends));
  text += WinogradSource(use);
  text += kNoKernelProfile;
  for (const std::string& name : backends) {
    if (name == "portable")
      text += TableSource({name, "PortableOp", "Kernel", "kLinkedKernels", use.ops}, use);
    if (name == "xnnpack")
      text += TableSource({name, "Lowering", "Lowering", "kLinkedLowerings", XnnpackOps()}, use);
    if (name == "vulkan")
      text += TableSource({name, "OpLowering", "Lowering", "kLinkedLowerings", VulkanOps()}, use);
  }
  return text + BackendsSource(backends) + "}  // namespace linnet\n";
}

}  // namespace linnet::converter
