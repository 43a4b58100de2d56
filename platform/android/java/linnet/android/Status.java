// SPDX-License-Identifier: Apache-2.0
package linnet.android;

/** Why a call failed; linnet/types.h says more. */
public enum Status {
  INVALID_ARGUMENT(1),
  /** The plan is damaged or breaks a rule of the format. */
  INVALID_PLAN(2),
  /** This build or this machine cannot run the plan. */
  UNSUPPORTED(3),
  /** The plan needs a newer version of this library. */
  VERSION_TOO_NEW(4),
  NO_MEMORY(5),
  /** A file could not be read. */
  IO(6),
  /** An index computed from data is out of range, or a division by 0. */
  BAD_INDEX(7),
  /** {@link Session#cancel} or {@link Session#close} was called during the run. */
  CANCELLED(8),
  /** The GPU stopped working, and memory for the CPU was missing. */
  DEVICE_LOST(9),
  /** A bug in Linnet. */
  INTERNAL(10),
  TIMEOUT(11),
  /** Of a newer library than these classes. */
  UNKNOWN(0);

  private final int code;

  Status(int code) {
    this.code = code;
  }

  static Status of(int code) {
    for (Status status : values()) {
      if (status.code == code) {
        return status;
      }
    }
    return UNKNOWN;
  }
}
