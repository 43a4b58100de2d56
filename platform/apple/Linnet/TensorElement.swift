// SPDX-License-Identifier: Apache-2.0
import CLinnet

/// The type of a tensor's elements.
public enum DType: Int32, Sendable, CaseIterable {
  case float32 = 1
  case float16 = 2
  case int32 = 3
  case int64 = 4
  case uint8 = 5
  case int8 = 6
  /// One byte, 0 or 1.
  case bool = 7
  case int16 = 8
  case uint16 = 9
  case float64 = 10

  /// Bytes of one element.
  public var bytes: Int {
    switch self {
    case .uint8, .int8, .bool: return 1
    case .float16, .int16, .uint16: return 2
    case .float32, .int32: return 4
    case .int64, .float64: return 8
    }
  }
}

/// A Swift type that is the element of a tensor. Swift has no 16-bit float on Intel Macs: there, and where the bits are wanted, such
/// tensors are read and written as bytes.
public protocol TensorElement: Sendable {
  static var dtype: DType { get }
}

extension Float: TensorElement { public static var dtype: DType { .float32 } }
extension Double: TensorElement { public static var dtype: DType { .float64 } }
extension Int32: TensorElement { public static var dtype: DType { .int32 } }
extension Int64: TensorElement { public static var dtype: DType { .int64 } }
extension UInt8: TensorElement { public static var dtype: DType { .uint8 } }
extension Int8: TensorElement { public static var dtype: DType { .int8 } }
extension Bool: TensorElement { public static var dtype: DType { .bool } }
extension Int16: TensorElement { public static var dtype: DType { .int16 } }
extension UInt16: TensorElement { public static var dtype: DType { .uint16 } }
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
extension Float16: TensorElement { public static var dtype: DType { .float16 } }
#endif
