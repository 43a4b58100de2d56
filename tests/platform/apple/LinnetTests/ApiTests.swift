// SPDX-License-Identifier: Apache-2.0
import Foundation
import Linnet
import XCTest

/// What plans and sessions do when all is well.
final class ApiTests: XCTestCase {
  private let ones = [Float](repeating: 1, count: 3)

  func testTheLibraryHasAVersion() {
    XCTAssertNotNil(LinnetLibrary.version.range(of: #"^\d+\.\d+\.\d+$"#, options: .regularExpression))
    XCTAssertFalse(LinnetLibrary.cpuKernels.isEmpty)
  }

  func testAPlanDescribesItsTensors() throws {
    let plan = try Plans.open("small")
    XCTAssertEqual(plan.signatures.map(\.name), ["serving_default"])
    let x = plan.inputs[0]
    XCTAssertEqual(x.name, "x")
    XCTAssertEqual(x.dtype, .float32)
    XCTAssertEqual(x.shape, [1, 6, 6, 3])
    XCTAssertEqual(x.bytes, 432)
    XCTAssertEqual(x.varies, [false, false, false, false])
    XCTAssertEqual("\(x)", "x float32[1, 6, 6, 3]")
    XCTAssertEqual(plan.inputs[1].dtype, .int32)
    XCTAssertEqual(plan.outputs[0].source, "softmax:0")
    XCTAssertEqual(plan.signatures[0].outputs.count, 2)
  }

  func testARunComputesFromArrays() throws {
    let session = try Session(Plans.open("loop"), threads: 2, maxBytes: 1 << 20)
    try session.setInput("in0", ones)
    try session.setInput("in1", [Float(100)])
    try session.run()
    XCTAssertEqual(try session.output("out0", as: Int32.self), [6])
    XCTAssertEqual(try session.output("out1"), [Float](repeating: 64, count: 3))
    XCTAssertEqual(try session.shape(ofOutput: 0), [])
  }

  func testAnAsyncRunComputesTheSame() async throws {
    let session = try Session(Plans.open("loop"))
    try Plans.setLimit(session, 100)
    try await session.run()
    XCTAssertEqual(try session.output(0, as: Int32.self), [6])
  }

  func testViewsAreTheSessionsOwnMemory() throws {
    let session = try Session(Plans.open("sum"))
    let address = try session.withUnsafeInput(0, as: Float.self) { memory in
      XCTAssertEqual(memory.count, 3)
      _ = memory.initialize(from: [2, 3, 4])
      return UnsafeRawPointer(memory.baseAddress!)
    }
    try session.withUnsafeInputBytes(0) { memory in
      XCTAssertEqual(UnsafeRawPointer(memory.baseAddress!), address)
      XCTAssertEqual(memory.count, 12)
      XCTAssertEqual(memory.load(fromByteOffset: 4, as: Float.self), 3)
    }
    try session.setInput(1, [Int32(1)])
    try session.run()
    let wanted: [Float] = try session.output(0)
    try session.withUnsafeOutput(0, as: Float.self) { XCTAssertEqual(Array($0), wanted) }
    try session.withUnsafeOutputBytes(0) { XCTAssertEqual($0.load(as: Float.self), wanted[0]) }
  }

  func testMemoryOfTheCallerIsUsedInPlace() throws {
    let session = try Session(Plans.open("sum"))
    let input = aligned(12)
    let output = aligned(12)
    defer {
      input.deallocate()
      output.deallocate()
    }
    try session.bindInput(0, to: UnsafeRawBufferPointer(input))
    try session.bindOutput(0, to: output)
    var sum: Float = 1  // the plan's state, which grows by the input
    for round in 0..<3 {
      input.storeBytes(of: Float(round), as: Float.self)
      try session.setInput(1, [Int32(0)])
      try session.run()
      sum += Float(round)
      XCTAssertEqual(output.load(as: Float.self), sum)
      XCTAssertEqual(try session.output(0, as: Float.self)[0], sum)
    }
    try session.unbindInput(0)
    try session.unbindOutput(0)
    try session.setInput(0, ones)
    try session.setInput(1, [Int32(0)])
    session.reset()
    try session.run()
    XCTAssertEqual(try session.output(0), [Float](arrayLiteral: 2, 3, 4))
    XCTAssertEqual(output.load(as: Float.self), sum)  // no longer written
  }

  func testRowsMayHaveGaps() throws {
    let session = try Session(Plans.open("small"))
    let dense = (0..<108).map { Float($0) / 108 }
    try session.setInput(0, dense)
    try session.setInput(1, [Int32](repeating: 1, count: session.inputs[1].shape.reduce(1, *)))
    try session.run()
    let wanted: [Float] = try session.output(0)
    let gapped = aligned(6 * 80)  // rows of 18 floats, each followed by 8 bytes
    defer { gapped.deallocate() }
    for row in 0..<6 {
      for column in 0..<18 {
        gapped.storeBytes(of: dense[row * 18 + column], toByteOffset: row * 80 + column * 4, as: Float.self)
      }
    }
    try session.bindInput(0, to: UnsafeRawBufferPointer(gapped), rowBytes: 80)
    try session.setInput(1, [Int32](repeating: 1, count: session.inputs[1].shape.reduce(1, *)))
    try session.run()
    XCTAssertEqual(try session.output(0), wanted)
  }

  func testShapesVary() throws {
    let session = try Session(Plans.open("varying"))
    XCTAssertEqual(session.inputs[0].varies, [true, false])
    XCTAssertEqual(try session.shape(ofInput: 0), [8, 3])
    try session.setShape(ofInput: 0, to: [2, 3])
    XCTAssertEqual(try session.shape(ofInput: 0), [2, 3])
    try session.setInput(0, [Float](arrayLiteral: 1, 2, 3, 4, 5, 6))
    try session.setInput(1, [false, true, true, false, false, false, false, true])
    try session.run()
    XCTAssertEqual(try session.shape(ofOutput: 0), [2, 3])
    XCTAssertEqual(try session.shape(ofOutput: 2), [3, 1])
    XCTAssertEqual(try session.output(2), [Int64](arrayLiteral: 1, 2, 7))
  }

  func testPlansOpenFromBytes() throws {
    let data = try Plans.bytes("sum")
    let wanted = try Plans.open("sum").signatures
    XCTAssertEqual(try Plan(data).signatures, wanted)
    XCTAssertEqual(try Plan([UInt8](data)).signatures, wanted)
    XCTAssertEqual(try Plan(contentsOf: URL(fileURLWithPath: Plans.path("sum"))).signatures, wanted)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count + 3, alignment: 64)
    defer { memory.deallocate() }
    data.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: memory[3...]))
    let session = try Session(Plan(unsafeBytes: UnsafeRawBufferPointer(rebasing: memory[3...]), owner: nil))
    try session.setInput(0, ones)
    try session.setInput(1, [Int32(2)])
    try session.run()
  }

  /// As an asset inside another file: at offsets that are no multiple of anything.
  func testPlansOpenFromAPartOfAFile() throws {
    let data = try Plans.bytes("sum")
    for offset in [0, 4, 4097] {
      let path = NSTemporaryDirectory() + "linnet_part_\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: path) }
      try (Data(count: offset) + data + Data(count: 5)).write(to: URL(fileURLWithPath: path))
      let file = try XCTUnwrap(FileHandle(forReadingAtPath: path))
      let plan = try Plan(fileDescriptor: file.fileDescriptor, offset: Int64(offset), length: Int64(data.count))
      try file.close()
      let session = try Session(plan)
      try session.setInput(0, ones)
      try session.setInput(1, [Int32(0)])
      try session.run()
    }
  }

  func testASessionSaysWhatRunsIt() throws {
    let plan = try Plans.open("sum")
    XCTAssertEqual(try Session(plan, backend: .portable).backend, .portable)
    let session = try Session(plan, signature: "serving_default")
    XCTAssertEqual(session.backend, .cpu)
    XCTAssertEqual(session.signature.name, "serving_default")
    XCTAssertFalse(try XCTUnwrap(session.whyNotGPU).isEmpty)
  }

  /// With the 16 bytes behind it that kernels may read.
  private func aligned(_ bytes: Int) -> UnsafeMutableRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes + 16, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    return memory
  }
}
