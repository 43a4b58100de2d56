// SPDX-License-Identifier: Apache-2.0
import CLinnet

extension [TensorInfo] {
  /// The index of the input or output (`kind`) of this name.
  func index(of name: String, _ kind: String) throws -> Int {
    guard let index = firstIndex(where: { $0.isCalled(name) }) else {
      throw LinnetError.invalid("there is no \(kind) '\(name)'; there are \(self)")
    }
    return index
  }
}

/// The inputs or the outputs of a session, and the memory of the caller that is bound to them.
struct Ports {
  struct Binding {
    let owner: Any?
    let hasGaps: Bool
  }

  let kind: String  // "input" or "output"
  let infos: [TensorInfo]
  let shapeOf: (OpaquePointer?, Int32, UnsafeMutablePointer<Int64>?) -> Int32
  var bindings: [Binding?]

  init(kind: String, infos: [TensorInfo], shapeOf: @escaping (OpaquePointer?, Int32, UnsafeMutablePointer<Int64>?) -> Int32) {
    self.kind = kind
    self.infos = infos
    self.shapeOf = shapeOf
    bindings = Array(repeating: nil, count: infos.count)
  }

  /// As "input 0, x float32[3]".
  func text(_ index: Int) -> String { "\(kind) \(index), \(infos[index])" }

  func check(_ index: Int) throws {
    guard infos.indices.contains(index) else { throw LinnetError.invalid("there is no \(kind) \(index); there are \(infos.count)") }
  }

  func check<Element: TensorElement>(_ index: Int, is type: Element.Type) throws {
    try check(index)
    guard infos[index].dtype == Element.dtype else {
      throw LinnetError.invalid("\(text(index)), has other elements than \(Element.dtype)")
    }
  }

  /// Refuses memory of the caller that is not to be written, or has gaps between its rows.
  func checkDense(_ index: Int, whenBound isAllowed: Bool) throws {
    if let binding = bindings[index], !isAllowed || binding.hasGaps {
      throw LinnetError.invalid("\(text(index)), is bound to memory of the caller")
    }
  }

  /// The shape of the next run (the last one, of an output).
  func shape(_ index: Int, of session: OpaquePointer) throws -> [Int] {
    try check(index)
    var dims = [Int64](repeating: 0, count: Int(LINNET_MAX_RANK))
    let rank = shapeOf(session, Int32(index), &dims)
    return dims.prefix(Int(rank)).map { Int($0) }
  }

  /// The bytes of a tensor with that shape.
  func bytes(_ index: Int, of session: OpaquePointer) throws -> Int {
    try shape(index, of: session).reduce(infos[index].dtype.bytes, *)
  }
}
