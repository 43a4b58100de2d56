// SPDX-License-Identifier: Apache-2.0
import Foundation
import Linnet

/// Files of NumPy's, version 1, in C's order.
enum Npy {
  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0]

  /// The elements' bytes. The file has to have exactly this type and shape.
  static func read(_ path: String, _ info: TensorInfo) throws -> [UInt8] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let start = 10 + Int(bytes[8]) + Int(bytes[9]) << 8
    let header = String(decoding: bytes[10..<start], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    let wanted = try text(info.dtype, info.shape)
    guard header == wanted else { throw Failure(text: "\(path) has \(header), want \(wanted)") }
    return Array(bytes[start...])
  }

  static func write(_ path: String, _ dtype: DType, _ shape: [Int], _ elements: [UInt8]) throws {
    var header = Array(try text(dtype, shape).utf8)
    header += [UInt8](repeating: 32, count: 63 - (10 + header.count) % 64) + [10]
    let bytes = magic + [UInt8(header.count & 255), UInt8(header.count >> 8)] + header + elements
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private static func text(_ dtype: DType, _ shape: [Int]) throws -> String {
    let names: [DType: String] = [.float32: "<f4", .int32: "<i4", .int64: "<i8", .uint8: "|u1"]
    guard let name = names[dtype] else { throw Failure(text: "no model of the tests has \(dtype)") }
    let dims = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
    return "{'descr': '\(name)', 'fortran_order': False, 'shape': (\(dims)), }"
  }
}

struct Failure: Error {
  let text: String
}
