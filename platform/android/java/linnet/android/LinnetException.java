// SPDX-License-Identifier: Apache-2.0
package linnet.android;

/** A call of the runtime that failed. The message is the runtime's: one sentence for people. */
public final class LinnetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Status status;
  private final int step;
  private final long bytesNeeded;

  LinnetException(int status, String text, int step, long bytesNeeded) {
    super(text);
    this.status = Status.of(status);
    this.step = step;
    this.bytesNeeded = bytesNeeded;
  }

  public Status status() {
    return status;
  }

  /** Index of the plan's step that failed, -1 if none did. */
  public int step() {
    return step;
  }

  /** When a limit of memory is too low: the bytes that suffice; else 0. */
  public long bytesNeeded() {
    return bytesNeeded;
  }
}
