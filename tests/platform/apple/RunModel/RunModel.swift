// SPDX-License-Identifier: Apache-2.0
// Runs a plan on files of NumPy's with the options of linnet-run, so that tests/models/model_test.py compares what Swift gets with
// TensorFlow's numbers. The plan runs twice: an async run in the session's own memory, and one in memory that is bound to it.
import Foundation
import Linnet

struct Arguments {
  var plan = ""
  var outputs = ""
  var backend = Backend.auto
  var threads = 1
  var inputs: [(name: String, path: String)] = []

  init(_ words: [String]) throws {
    plan = words[0]
    for (option, value) in zip(words.dropFirst(), words.dropFirst(2)).enumerated().filter({ $0.offset % 2 == 0 }).map(\.element) {
      switch option {
      case "--output-dir": outputs = value
      case "--backend": backend = value == "portable" ? .portable : .cpu
      case "--threads": threads = Int(value)!
      case "--input":
        let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
        inputs.append((parts[0], parts[1]))
      default: throw Failure(text: option)
      }
    }
  }
}

/// Memory that a run uses without a copy: at a multiple of 64, with 16 bytes behind it.
func memory(_ bytes: Int) -> UnsafeMutableRawBufferPointer {
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes + 16, alignment: 64)
  memory.initializeMemory(as: UInt8.self, repeating: 0)
  return memory
}

@main
struct RunModel {
  static func main() async throws {
    let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    try FileManager.default.createDirectory(atPath: arguments.outputs, withIntermediateDirectories: true)
    let session = try Session(Plan(path: arguments.plan), backend: arguments.backend, threads: arguments.threads)
    let inputs = try arguments.inputs.map { input in
      let index = try session.index(ofInput: input.name)
      return (index: index, bytes: try Npy.read(input.path, session.inputs[index]))
    }

    for input in inputs {
      try session.withUnsafeInputBytes(input.index) { $0.copyBytes(from: input.bytes) }
    }
    try await session.run()
    let copied = try session.outputs.indices.map { try session.withUnsafeOutputBytes($0) { [UInt8]($0) } }

    for input in inputs {
      let bound = memory(input.bytes.count)
      bound.copyBytes(from: input.bytes)
      try session.bindInput(input.index, to: UnsafeRawBufferPointer(bound))
    }
    let bound = session.outputs.map { memory($0.bytes) }
    for index in session.outputs.indices {
      try session.bindOutput(index, to: bound[index])
    }
    try await session.run()

    for (index, info) in session.outputs.enumerated() {
      guard copied[index].elementsEqual(bound[index].prefix(copied[index].count)) else {
        throw Failure(text: "\(info): a run in the caller's memory gave something else")
      }
      let name = String(info.name.map { "/:".contains($0) ? "_" : $0 })
      try Npy.write("\(arguments.outputs)/\(name).npy", info.dtype, session.shape(ofOutput: index), copied[index])
    }
  }
}
