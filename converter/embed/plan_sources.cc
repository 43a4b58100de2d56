// SPDX-License-Identifier: Apache-2.0
#include "converter/embed/plan_sources.h"

#include <algorithm>
#include <cctype>

#include "converter/embed/source_literal.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

std::string_view FileName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string Upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

// Letters, digits and single underscores, so that nothing in it can end a comment or a name.
std::string Symbol(std::string_view text) {
  std::string symbol;
  for (const char c : text) {
    const bool is_word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_word)
      symbol += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!symbol.empty() && symbol.back() != '_')
      symbol += '_';
  }
  while (!symbol.empty() && symbol.back() == '_') symbol.pop_back();
  return symbol;
}

// For a comment: names come from models.
std::string Harmless(std::string_view text) {
  std::string harmless;
  for (const char c : text) harmless += c >= ' ' && c <= '~' && c != '*' && c != '\\' ? c : '_';
  return harmless;
}

const char* CType(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return "float";
    case DType::kFloat64:
      return "double";
    case DType::kInt32:
      return "int32_t";
    case DType::kInt64:
      return "int64_t";
    case DType::kInt16:
      return "int16_t";
    case DType::kFloat16:  // C has no such type
    case DType::kUint16:
      return "uint16_t";
    case DType::kInt8:
      return "int8_t";
    default:
      return "uint8_t";
  }
}

std::string TypeText(const TensorType& type) {
  std::string text = fmt::format("{}[", DTypeName(type.dtype));
  for (int i = 0; i < type.shape.rank(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ",", type.shape[i]);
  return text + "]";
}

// The constants of an input or output, and a type of the right size.
std::string PortText(std::string_view prefix, std::string_view kind, size_t index,
                     const PlanPort& port, const PlanTensor& tensor) {
  const std::string name = fmt::format("{}_{}_{}", prefix, kind, index);
  return fmt::format("/* {} {} \"{}\": {}{} */\n#define {}_BYTES {}\ntypedef {} {}[{}];\n", kind,
                     index, Harmless(port.name), TypeText(tensor.type),
                     tensor.varies() ? ", at most" : "", Upper(name), tensor.type.bytes(),
                     CType(tensor.type.dtype), name,
                     std::max<int64_t>(tensor.type.shape.num_elements(), 1));
}

std::string SignatureText(std::string_view prefix, const PlanProgram& program) {
  std::string text = fmt::format(
      "\n/* Signature \"{}\". Its tensors need {}_ARENA_BYTES, which are part of its session's "
      "block. */\n#define {}_ARENA_BYTES {}\n#define {}_INPUTS {}\n#define {}_OUTPUTS {}\n",
      Harmless(program.key), Upper(prefix), Upper(prefix), program.arena().bytes, Upper(prefix),
      program.inputs.size(), Upper(prefix), program.outputs.size());
  for (size_t i = 0; i < program.inputs.size(); ++i)
    text +=
        PortText(prefix, "input", i, program.inputs[i], program.tensors[program.inputs[i].tensor]);
  for (size_t i = 0; i < program.outputs.size(); ++i)
    text += PortText(prefix, "output", i, program.outputs[i],
                     program.tensors[program.outputs[i].tensor]);
  return text;
}

}  // namespace

std::string PlanSymbol(std::string_view path) {
  std::string_view name = FileName(path);
  if (name.ends_with(".linnet")) name.remove_suffix(std::string_view(".linnet").size());
  const std::string symbol = Symbol(name);
  const bool is_name = !symbol.empty() && std::isdigit(static_cast<unsigned char>(symbol[0])) == 0;
  return is_name ? symbol : "plan_" + symbol;
}

std::string PlanHeader(std::string_view symbol, std::string_view path, int64_t plan_bytes,
                       const PlanView& plan, const SessionSizes& sizes) {
  std::string text = fmt::format(
      R"(/* Written by `linnet embed` from {0}. */
#ifndef LINNET_EMBEDDED_{2}_H_
#define LINNET_EMBEDDED_{2}_H_
{7}

/* The plan: linnet_plan_open_memory({1}_plan, {2}_PLAN_BYTES, ...). */
#define {2}_PLAN_BYTES {3}
#ifdef __cplusplus
extern "C"
#else
extern
#endif
const unsigned char {1}_plan[{2}_PLAN_BYTES];

/* Blocks for a session of the first signature with one thread (linnet_session_options.block) and for the weights that
 * linnet_weights_prepare prepares for it, measured with {6} on a 64-bit machine. Where they do not suffice, as with more threads
 * or another XNNPACK, creating fails and says how many bytes are needed. */
#define {2}_SESSION_BYTES {4}
#define {2}_WEIGHTS_BYTES {5}
typedef unsigned char {1}_session_block[{2}_SESSION_BYTES] __attribute__((aligned(64)));
typedef unsigned char {1}_weights_block[{2}_WEIGHTS_BYTES] __attribute__((aligned(64)));

/* For programs without a heap: a block for the opened plan (linnet_open_options.block, with LINNET_OPEN_IN_PLACE), and memory for an
 * allocator (linnet_open_options.allocator) that frees what was allocated last first. Of the latter nothing is in use once the session
 * is there. */
#define {2}_OPENED_BYTES {8}
#define {2}_TEMPORARY_BYTES {9}
typedef unsigned char {1}_opened_block[{2}_OPENED_BYTES] __attribute__((aligned(64)));
typedef unsigned char {1}_temporary_block[{2}_TEMPORARY_BYTES] __attribute__((aligned(64)));
)",
      Harmless(FileName(path)), symbol, Upper(symbol), plan_bytes, sizes.session, sizes.weights,
      sizes.of, kIncludesLibrary, sizes.opened, sizes.temporary);
  const auto is_signature = [](const PlanProgram& p) { return p.variant == Variant::kHost; };
  const bool is_one = std::ranges::count_if(plan.programs, is_signature) == 1;
  int index = 0;
  for (const PlanProgram& program : plan.programs) {
    if (!is_signature(program)) continue;
    text +=
        SignatureText(is_one ? std::string(symbol) : fmt::format("{}_{}", symbol, index), program);
    ++index;
  }
  return text + fmt::format("#endif  /* LINNET_EMBEDDED_{}_H_ */\n", Upper(symbol));
}

std::string PlanSource(std::string_view symbol, std::string_view path) {
  const std::string include = SourceLiteral(fmt::format("  .incbin {}\n", SourceLiteral(path)));
  return fmt::format(
      R"(// Written by `linnet embed`: the bytes of a plan, which the assembler reads.
#if defined(__APPLE__)
__asm__(
    "  .section __TEXT,__const\n"
    "  .balign 64\n"
    "  .globl _{0}_plan\n"
    "_{0}_plan:\n"
    {1}
    "  .text\n");
#else
__asm__(
    "  .section .rodata.{0}_plan,\"a\",%progbits\n"
    "  .balign 64\n"
    "  .globl {0}_plan\n"
    "  .type {0}_plan, %object\n"
    "{0}_plan:\n"
    {1}
    "  .size {0}_plan, .-{0}_plan\n"
    "  .previous\n");
#endif
)",
      symbol, include);
}

}  // namespace linnet::converter
