// SPDX-License-Identifier: Apache-2.0
import CLinnet
import Foundation

/// A plan that `linnet convert` made, opened and verified: a damaged or malicious one is an error, never harm. It does not change, so any
/// number of threads and tasks may use it at once. It is closed when the last reference to it, and to each of its sessions, is gone.
public final class Plan: @unchecked Sendable {
  // Unchecked because a pointer is never Sendable: what it leads to does not change.
  let handle: OpaquePointer
  private let owner: Any?  // of the memory that the plan goes on reading

  /// The entry points of the model, which share its weights. At least one.
  public let signatures: [Signature]
  /// The inputs of the first signature.
  public var inputs: [TensorInfo] { signatures[0].inputs }
  /// The outputs of the first signature.
  public var outputs: [TensorInfo] { signatures[0].outputs }

  private init(owner: Any? = nil, _ open: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<linnet_error>) -> Void) throws {
    var opened: OpaquePointer?
    var error = linnet_error()
    open(&opened, &error)
    guard let opened else { throw LinnetError(error) }
    do {
      signatures = try (0..<linnet_plan_num_signatures(opened)).map { try Plan.signature($0, of: opened) }
    } catch {
      linnet_plan_close(opened)
      throw error
    }
    handle = opened
    self.owner = owner
  }

  deinit {
    linnet_plan_close(handle)
  }

  /// Maps the file, which must not be changed while the plan is open. In an app, a resource of its bundle:
  /// `Plan(path: Bundle.main.path(forResource: "movenet", ofType: "linnet")!)`.
  public convenience init(path: String) throws {
    guard !path.utf8.contains(0) else { throw LinnetError.invalid("the path has a zero byte in it") }
    try self.init { linnet_plan_open_file(path, nil, $0, $1) }
  }

  /// Maps the file that the URL names, as ``init(path:)`` does.
  public convenience init(contentsOf url: URL) throws {
    guard url.isFileURL else { throw LinnetError.invalid("the URL '\(url)' names no file") }
    try self.init(path: url.path)
  }

  /// Maps a part of an open file: `length` bytes from `offset` on, or to the end of the file when `length` is 0. The descriptor stays the
  /// caller's and may be closed afterwards. An offset that is a multiple of 64 avoids copies of weights.
  public convenience init(fileDescriptor: Int32, offset: Int64 = 0, length: Int64 = 0) throws {
    try self.init { linnet_plan_open_fd(fileDescriptor, offset, length, nil, $0, $1) }
  }

  /// Opens a copy of the bytes: `Data`, an array, or anything else in one piece. A file is better mapped, which shares its pages.
  public convenience init(_ bytes: some ContiguousBytes) throws {
    let copy = bytes.withUnsafeBytes { AlignedMemory(copying: $0) }
    try self.init(unsafeBytes: UnsafeRawBufferPointer(copy.buffer), owner: copy)
  }

  /// Opens bytes where they lie. They must not change while the plan is open; the plan keeps `owner`, which keeps them. An address that is
  /// a multiple of 64 avoids copies of weights.
  public convenience init(unsafeBytes: UnsafeRawBufferPointer, owner: Any?) throws {
    try self.init(owner: owner) { linnet_plan_open_memory(unsafeBytes.baseAddress, unsafeBytes.count, nil, $0, $1) }
  }

  private static func signature(_ index: Int32, of plan: OpaquePointer) throws -> Signature {
    Signature(
      name: String(cString: linnet_plan_signature(plan, index)),
      inputs: try (0..<linnet_plan_num_inputs(plan, index)).map { try TensorInfo(linnet_plan_input_info(plan, index, $0).pointee) },
      outputs: try (0..<linnet_plan_num_outputs(plan, index)).map { try TensorInfo(linnet_plan_output_info(plan, index, $0).pointee) })
  }

  /// The signature of this name; the first one for nil.
  func signature(named name: String?) throws -> Signature {
    guard let name else { return signatures[0] }
    guard let found = signatures.first(where: { $0.name == name }) else {
      throw LinnetError.invalid("the plan has no signature '\(name)'; it has \(signatures.map(\.name))")
    }
    return found
  }
}
