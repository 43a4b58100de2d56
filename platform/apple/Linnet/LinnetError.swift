// SPDX-License-Identifier: Apache-2.0
import CLinnet
import Foundation

/// Why a call failed: what the runtime says, or the Swift API where an argument does not fit.
public struct LinnetError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
  /// The kind of failure. A later version of the library may have kinds that are not listed here.
  public struct Status: RawRepresentable, Equatable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int32

    public init(rawValue: Int32) {
      self.rawValue = rawValue
    }

    /// An argument does not fit: a size, a type, an index, a name, a shape.
    public static let invalidArgument = Status(rawValue: Int32(LINNET_INVALID_ARGUMENT))
    /// The file cannot be opened or read.
    public static let io = Status(rawValue: Int32(LINNET_IO))
    /// The bytes are no plan, or a damaged one.
    public static let invalidPlan = Status(rawValue: Int32(LINNET_INVALID_PLAN))
    /// The plan was written for a later version of the library.
    public static let versionTooNew = Status(rawValue: Int32(LINNET_VERSION_TOO_NEW))
    /// The plan needs something that this library or device does not have.
    public static let unsupported = Status(rawValue: Int32(LINNET_UNSUPPORTED))
    /// There is not enough memory, or less than ``LinnetError/bytesNeeded`` is allowed.
    public static let noMemory = Status(rawValue: Int32(LINNET_NO_MEMORY))
    /// A run computed an index or an extent that is out of range, or divided by 0.
    public static let badIndex = Status(rawValue: Int32(LINNET_BAD_INDEX))
    /// ``Session/cancel()`` ended the run.
    public static let cancelled = Status(rawValue: Int32(LINNET_CANCELLED))
    /// The GPU stopped working, and there was no memory for the CPU to go on.
    public static let deviceLost = Status(rawValue: Int32(LINNET_DEVICE_LOST))
    /// A bug in Linnet.
    public static let `internal` = Status(rawValue: Int32(LINNET_INTERNAL))

    /// The name in C, as "LINNET_IO".
    public var description: String { String(cString: linnet_status_name(rawValue)) }
  }

  public let status: Status
  /// One sentence for people. It names the TensorFlow node of the step that failed.
  public let text: String
  /// Index of the plan's step that failed; nil if none did.
  public let step: Int?
  /// Where a limit of memory was too low: the bytes that suffice; else 0.
  public let bytesNeeded: Int64

  public var description: String { text }
  public var errorDescription: String? { text }

  init(_ error: linnet_error) {
    status = Status(rawValue: error.status)
    text = withUnsafeBytes(of: error.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    step = error.step < 0 ? nil : Int(error.step)
    bytesNeeded = error.bytes_needed
  }

  init(_ status: Status, _ text: String) {
    self.status = status
    self.text = text
    step = nil
    bytesNeeded = 0
  }

  static func invalid(_ text: String) -> LinnetError { LinnetError(.invalidArgument, text) }
}

/// The library that is linked.
public enum LinnetLibrary {
  /// Its version, as "0.1.0".
  public static var version: String { String(cString: linnet_version()) }

  /// The library of CPU kernels that it uses in addition to its own; "none" in the XCFramework.
  public static var cpuKernels: String { String(cString: linnet_cpu_kernels()) }
}
