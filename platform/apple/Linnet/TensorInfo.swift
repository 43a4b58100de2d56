// SPDX-License-Identifier: Apache-2.0
import CLinnet

/// One input or output of a model. Data is dense and row-major; images have their channels last.
public struct TensorInfo: Equatable, Sendable, CustomStringConvertible {
  /// Its name in the model's signature; the node's name in a graph without signatures.
  public let name: String
  /// "node:output" in the TensorFlow graph.
  public let source: String
  public let dtype: DType
  /// Outermost first; of a dimension that varies, the largest.
  public let shape: [Int]
  /// Of a tensor with this shape.
  public let bytes: Int
  /// Which dimensions may be smaller in a run: see ``Session/setShape(ofInput:to:)``.
  public let varies: [Bool]
  /// An input that a run leaves as it was written, so it need not be written again before the next run. Only of inputs.
  public let isKept: Bool

  /// As "image float32[1, 192, 192, 3]".
  public var description: String { "\(name) \(dtype)\(shape)" }

  init(_ info: linnet_tensor_info) throws {
    guard let dtype = DType(rawValue: info.dtype) else {
      throw LinnetError(.unsupported, "a tensor has elements of a type that is unknown to this version of Linnet for Swift")
    }
    let rank = Int(info.rank)
    name = String(cString: info.name)
    source = String(cString: info.source)
    self.dtype = dtype
    shape = withUnsafeBytes(of: info.dims) { $0.bindMemory(to: Int64.self).prefix(rank).map { Int($0) } }
    bytes = Int(info.bytes)
    varies = (0..<rank).map { info.varies >> UInt32($0) & 1 == 1 }
    isKept = info.flags & UInt32(LINNET_TENSOR_KEPT) != 0
  }

  /// Is it meant by this name? As in C: its name or its source, whose ":0" may be left out.
  func isCalled(_ text: String) -> Bool { name == text || source == text || source == text + ":0" }
}

/// An entry point of a model.
public struct Signature: Equatable, Sendable {
  /// "" for a graph without signatures.
  public let name: String
  public let inputs: [TensorInfo]
  public let outputs: [TensorInfo]
}
