// SPDX-License-Identifier: Apache-2.0
#include "converter/import/foreign_format.h"

namespace linnet::converter {
namespace {

constexpr char kExportKeras[] =
    "export it with Keras, `keras.models.load_model(FILE).export(FOLDER)`, and give the folder";

bool StartsWith(std::string_view file, std::string_view magic, size_t at = 0) {
  return file.size() >= at && file.substr(at).starts_with(magic);
}

// What the first entries of a zip archive are called tells what it is.
std::string OfArchive(std::string_view file) {
  const std::string_view head = file.substr(0, 1 << 16);
  const auto has = [&](std::string_view name) { return head.find(name) != std::string_view::npos; };
  if (has("model.weights.h5") || has("metadata.json"))
    return std::string("a Keras model: ") + kExportKeras;
  if (has("data.pkl") || has("constants.pkl"))
    return "a PyTorch model: convert it to TensorFlow first";
  return "a zip archive: unpack it, and give the model or the folder with saved_model.pb in it";
}

// Keras' description of a model's layers, with no graph.
bool IsKerasConfig(std::string_view file) {
  return file.starts_with('{') && file.find("\"modelTopology\"") == std::string_view::npos &&
         file.substr(0, 4096).find("\"class_name\"") != std::string_view::npos;
}

// ONNX begins with its version, a number, as no GraphDef does; 1 is also how a SavedModel begins.
bool IsOnnx(std::string_view file) {
  return file.size() > 2 && file[0] == '\x08' && file[1] >= 3 && file[1] < 64 &&
         (file[2] == '\x12' || file[2] == '\x3a' || file[2] == '\x1a');
}

}  // namespace

std::string ForeignFormat(std::string_view file) {
  if (file.empty()) return "an empty file";
  if (StartsWith(file, "\x89HDF\r\n\x1a\n"))
    return std::string("a Keras model, or only its weights, in HDF5: ") + kExportKeras;
  if (StartsWith(file, "PK\x03\x04")) return OfArchive(file);
  if (StartsWith(file, "TFL3", 4))
    return "a TensorFlow Lite model: give what it was made from, a SavedModel or a GraphDef";
  if (StartsWith(file, "ustar", 257)) return "a tar archive: unpack it with tar -xf";
  if (IsOnnx(file))
    return "an ONNX model: export the model it was made from as a SavedModel, or convert it to "
           "TensorFlow first";
  if (StartsWith(file, "version https://git-lfs"))
    return "a pointer of Git LFS in place of the file: fetch that with git lfs pull";
  if (IsKerasConfig(file))
    return std::string("a description of a Keras model's layers: ") + kExportKeras;
  if (file.ends_with(std::string_view("\x57\xfb\x80\x8b\x24\x75\x47\xdb")))
    return "the index of a checkpoint, which is variables without a graph: give a .meta file, or "
           "the graph with --checkpoint";
  if (StartsWith(file, "model_checkpoint_path"))
    return "the list of a folder's checkpoints, which are variables without a graph: give a .meta "
           "file, or the graph with --checkpoint FOLDER";
  return "";
}

std::string ForeignFolder(const std::filesystem::path& folder) {
  std::error_code ignored;
  const auto has = [&](const char* name) {
    return std::filesystem::exists(folder / name, ignored);
  };
  if (has("keras_metadata.pb") || has("config.json"))
    return std::string("it looks like a Keras model: ") + kExportKeras;
  if (has("checkpoint"))
    return "it has a checkpoint, which are variables without a graph: give the .meta file beside "
           "it, or the graph with --checkpoint FOLDER";
  return "";
}

}  // namespace linnet::converter
