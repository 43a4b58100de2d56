// SPDX-License-Identifier: Apache-2.0
import CLinnet

/// Inputs and outputs: copied from and to arrays, in the session's own memory, or in memory of the caller.
extension Session {
  /// The index of the input with this name or source.
  public func index(ofInput name: String) throws -> Int { try inputs.index(of: name, "input") }

  /// The index of the output with this name or source.
  public func index(ofOutput name: String) throws -> Int { try outputs.index(of: name, "output") }

  // MARK: Shapes

  /// Gives an input whose dimensions vary the shape that it has from the next run on. Write its data afterwards. Other inputs whose
  /// dimensions must be equal to these change too.
  public func setShape(ofInput index: Int, to shape: [Int]) throws {
    try inTurn {
      try inputPorts.check(index)
      let status = linnet_session_set_input_shape(handle, Int32(index), shape.map { Int64($0) }, Int32(clamping: shape.count))
      try check(status)
    }
  }

  /// The shape that an input has in the next run.
  public func shape(ofInput index: Int) throws -> [Int] {
    try inTurn { try inputPorts.shape(index, of: handle) }
  }

  /// The shape that an output had in the last run.
  public func shape(ofOutput index: Int) throws -> [Int] {
    try inTurn { try outputPorts.shape(index, of: handle) }
  }

  // MARK: Copies

  /// Copies the whole input from an array of its type. Inputs have to be written before every run, unless ``TensorInfo/isKept``.
  public func setInput<Element: TensorElement>(_ index: Int, _ values: [Element]) throws {
    try withUnsafeInput(index, as: Element.self) { memory in
      guard memory.count == values.count else {
        throw LinnetError.invalid("input \(index), \(inputs[index]), has \(memory.count) elements now, and was given \(values.count)")
      }
      values.withUnsafeBytes { UnsafeMutableRawBufferPointer(memory).copyMemory(from: $0) }
    }
  }

  public func setInput<Element: TensorElement>(_ name: String, _ values: [Element]) throws {
    try setInput(index(ofInput: name), values)
  }

  /// Copies the whole output of the last run to an array of its type.
  public func output<Element: TensorElement>(_ index: Int, as type: Element.Type = Element.self) throws -> [Element] {
    try withUnsafeOutput(index, as: type) { Array($0) }
  }

  public func output<Element: TensorElement>(_ name: String, as type: Element.Type = Element.self) throws -> [Element] {
    try output(index(ofOutput: name), as: type)
  }

  // MARK: Memory of the session, without copies

  /// Gives `body` the memory of the input, to be written before a run. It must not be used afterwards.
  public func withUnsafeInput<Element: TensorElement, Result>(
    _ index: Int, as type: Element.Type = Element.self, _ body: (UnsafeMutableBufferPointer<Element>) throws -> Result
  ) throws -> Result {
    try inTurn {
      try inputPorts.check(index, is: type)
      return try body(inputBytes(index).bindMemory(to: type))
    }
  }

  /// Gives `body` the memory of the input as bytes, whatever its elements are.
  public func withUnsafeInputBytes<Result>(_ index: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Result) throws -> Result {
    try inTurn { try body(inputBytes(index)) }
  }

  /// Gives `body` the memory of the output of the last run. It must not be used afterwards.
  public func withUnsafeOutput<Element: TensorElement, Result>(
    _ index: Int, as type: Element.Type = Element.self, _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) throws -> Result {
    try inTurn {
      try outputPorts.check(index, is: type)
      return try body(outputBytes(index).bindMemory(to: type))
    }
  }

  /// Gives `body` the memory of the output as bytes, whatever its elements are.
  public func withUnsafeOutputBytes<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    try inTurn { try body(outputBytes(index)) }
  }

  private func inputBytes(_ index: Int) throws -> UnsafeMutableRawBufferPointer {
    try inputPorts.check(index)
    try inputPorts.checkDense(index, whenBound: false)
    return UnsafeMutableRawBufferPointer(
      start: linnet_session_input_data(handle, Int32(index)), count: try inputPorts.bytes(index, of: handle))
  }

  private func outputBytes(_ index: Int) throws -> UnsafeRawBufferPointer {
    try outputPorts.check(index)
    try outputPorts.checkDense(index, whenBound: true)
    return UnsafeRawBufferPointer(
      start: linnet_session_output_data(handle, Int32(index)), count: try outputPorts.bytes(index, of: handle))
  }

  // MARK: Memory of the caller

  /// Makes every following run read the input from this memory, for example of a picture, until it is unbound or the session is gone.
  /// Linnet does not write to it. A run uses it without a copy when the plan allows that, its address is a multiple of 64, it has at least
  /// 16 bytes more than the tensor, and its rows have no gaps.
  ///
  /// - Parameters:
  ///   - rowBytes: from the start of one row to the start of the next; 0: no gaps. A row is the last two dimensions of a tensor that has
  ///     three or more (width and channels of an image), else the last one
  ///   - owner: what keeps the memory; the session keeps it meanwhile
  public func bindInput(_ index: Int, to memory: UnsafeRawBufferPointer, rowBytes: Int = 0, owner: Any? = nil) throws {
    try inTurn {
      try inputPorts.check(index)
      var buffer = try Session.buffer(UnsafeMutableRawBufferPointer(mutating: memory), rowBytes)
      try check(linnet_session_bind_input_buffer(handle, Int32(index), &buffer))
      inputPorts.bindings[index] = Ports.Binding(owner: owner, hasGaps: rowBytes != 0)
    }
  }

  /// Makes every following run write the output to this memory, until it is unbound or the session is gone. Nothing is written between rows.
  public func bindOutput(_ index: Int, to memory: UnsafeMutableRawBufferPointer, rowBytes: Int = 0, owner: Any? = nil) throws {
    try inTurn {
      try outputPorts.check(index)
      var buffer = try Session.buffer(memory, rowBytes)
      try check(linnet_session_bind_output_buffer(handle, Int32(index), &buffer))
      outputPorts.bindings[index] = Ports.Binding(owner: owner, hasGaps: rowBytes != 0)
    }
  }

  /// Back to the session's own memory.
  public func unbindInput(_ index: Int) throws {
    try inTurn {
      try inputPorts.check(index)
      try check(linnet_session_bind_input(handle, Int32(index), nil, 0))
      inputPorts.bindings[index] = nil
    }
  }

  /// Back to the session's own memory.
  public func unbindOutput(_ index: Int) throws {
    try inTurn {
      try outputPorts.check(index)
      try check(linnet_session_bind_output(handle, Int32(index), nil, 0))
      outputPorts.bindings[index] = nil
    }
  }

  private static func buffer(_ memory: UnsafeMutableRawBufferPointer, _ rowBytes: Int) throws -> linnet_buffer {
    guard rowBytes >= 0 else { throw LinnetError.invalid("rowBytes must not be negative") }
    guard memory.baseAddress != nil else { throw LinnetError.invalid("there is no memory to bind") }
    var buffer = linnet_buffer()
    buffer.struct_size = MemoryLayout<linnet_buffer>.size
    buffer.kind = Int32(LINNET_BUFFER_POINTER)
    buffer.format = Int32(LINNET_FORMAT_TENSOR)
    buffer.address = memory.baseAddress
    buffer.bytes = memory.count
    buffer.pitch = rowBytes
    return buffer
  }

  private func check(_ status: linnet_status) throws {
    guard status == Int32(LINNET_OK) else { throw LinnetError(linnet_session_last_error(handle).pointee) }
  }
}
