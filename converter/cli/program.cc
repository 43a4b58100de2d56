// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/program.h"

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "CLI/CLI.hpp"
#include "converter/cli/commands.h"
#include "fmt/format.h"
#include "linnet/linnet.h"
#include "platform/removed_at_signal.h"

namespace linnet::cli {
namespace {

constexpr char kFooter[] = R"(
First steps:
  linnet run model.pb --input input=cat.jpg        what it computes of a picture
  linnet inspect model.pb | less                   what is in the model
  linnet convert model.pb -o model.linnet          make a plan
  linnet convert exported/ -o model.linnet         the same of a SavedModel's folder
  linnet inspect model.linnet --format html -o model.html
  linnet-run model.linnet --bench                  run it

Exit codes: 0 good, 1 usage, 2 bad or unsupported model, 3 failed while running.)";

int Main(int argc, char** argv) {
  CLI::App app("Turns TensorFlow graphs into plans that liblinnet executes.", "linnet");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("linnet ") + linnet_version());
  int exit_code = kGood;
  AddConvertCommand(app, &exit_code);
  AddInspectCommand(app, &exit_code);
  AddRunCommand(app, &exit_code);
  AddPassesCommand(app, &exit_code);
  AddOpsCommand(app, &exit_code);
  AddBisectCommand(app, &exit_code);
  AddEmbedCommand(app, &exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    return Fail(kUsage, fmt::format("{}; see linnet --help", error.what()));
  }
  return exit_code;
}

// Ends the program at once where memory cannot be had: libraries beneath us (protobuf, FlatBuffers,
// libstdc++'s memory resources) follow wild pointers when std::bad_alloc unwinds them. Nothing here
// may ask for memory.
[[noreturn]] void EndOutOfMemory() {
  RemovedAtSignal::RemoveAll();
  constexpr std::string_view kText = "linnet: out of memory\n";
  if (write(STDERR_FILENO, kText.data(), kText.size()) < 0) _exit(kFailed);
  _exit(kFailed);
}

}  // namespace
int RunProgram(int argc, char** argv) {
#if defined(__GLIBC__)
  // Large weights go back to the system as soon as they are freed, whatever was freed before.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
  std::set_new_handler(EndOutOfMemory);
  // Only libraries throw exceptions; they are all caught here.
  try {
    return Main(argc, argv);
  } catch (const std::exception& error) {
    return Fail(kFailed, error.what());
  }
}

}  // namespace linnet::cli
