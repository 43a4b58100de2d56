// SPDX-License-Identifier: Apache-2.0
/// <reference lib="esnext.disposable" />

/** Elements of a tensor, dense and row-major; images are NHWC. */
export type TensorData =
  | Float32Array
  | Float64Array
  | Int32Array
  | BigInt64Array
  | Int16Array
  | Int8Array
  | Uint16Array
  | Uint8Array;

/** The element type of a tensor, and the array that has its elements: float16 is seen as bits (Uint16Array), bool as bytes that are 0 or 1. */
export type ElementType =
  | "float32"
  | "float16"
  | "int32"
  | "int64"
  | "uint8"
  | "int8"
  | "bool"
  | "int16"
  | "uint16"
  | "float64";

/** An input or output. */
export interface TensorInfo {
  /** Its name in the model's signature; the node's name without signatures. */
  readonly name: string;
  /** "node:output" in the TensorFlow graph. */
  readonly source: string;
  readonly dtype: ElementType;
  /** The constructor of its arrays. */
  readonly type: { new (length: number): TensorData; readonly name: string };
  /** Outermost dimension first; the maximum of a dimension that varies. */
  readonly shape: readonly number[];
  /** Whether each dimension may be smaller in a run. */
  readonly varies: readonly boolean[];
}

/** An entry point of the model. */
export interface Signature {
  /** "" for a graph without signatures. */
  readonly name: string;
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
}

/** What every function here throws: the message is the runtime's sentence, which names a step's TensorFlow node. */
export class LinnetError extends Error {
  constructor(status: string, text: string, cause?: unknown);
  /** A name of linnet_status, for example "LINNET_INVALID_PLAN" or "LINNET_BAD_INDEX". */
  readonly status: string;
}

/**
 * Compiles linnet.wasm, which the first plan does otherwise. For pages that keep it elsewhere than beside linnet.js,
 * have its bytes, or have compiled it already (a module can be posted to a worker).
 */
export function load(source?: string | URL | BufferSource | WebAssembly.Module): Promise<void>;

/**
 * A model, converted by `linnet convert`, in an instance of linnet.wasm of its own. Its memory is given back once it is
 * closed, or forgotten together with its sessions.
 */
export class Plan {
  private constructor();
  /** Opens the plan at a URL, which in Node may be that of a file or relative to the working folder. `options` are those of fetch. */
  static fetch(url: string | URL, options?: RequestInit): Promise<Plan>;
  /** Opens a plan in memory, which is copied, and verifies that it is safe to run. */
  static open(bytes: ArrayBuffer | ArrayBufferView): Promise<Plan>;
  /** At least one. */
  readonly signatures: readonly Signature[];
  /** Closes the plan and its sessions. May be called again. */
  close(): void;
  [Symbol.dispose](): void;
}

export interface SessionOptions {
  /** The name of a signature; the first if left out. */
  signature?: string;
  /**
   * For untrusted plans, which may describe tensors of any size: the session, the weights prepared for it and the temporary
   * memory of that preparation may each take this many bytes. An untrusted plan may also contain an endless loop: run it
   * in a Worker, which can be terminated.
   */
  maxBytes?: number;
}

/** Runs a signature of a plan, on the thread that calls. Sessions of one plan share its weights. */
export class Session {
  constructor(plan: Plan, options?: SessionOptions);
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];

  /**
   * Copies all inputs, by name, runs, and returns fresh arrays of all outputs, by name. What does not fit is one error that
   * lists all of it.
   */
  run(inputs: { readonly [name: string]: TensorData | Uint8ClampedArray }): { [name: string]: TensorData };
  /** Runs on what was written to the arrays of `input`; read the results from those of `output`. Copies nothing. */
  run(): void;

  /**
   * The session's memory of an input (output), by name, source or index, in its current shape. An array is valid until the plan
   * gets another session, is closed, or the input's shape changes: take it anew where it is used. Write every input before
   * every run, because a run may overwrite it. An output is valid from a run until the next.
   */
  input(which: string | number): TensorData;
  output(which: string | number): TensorData;

  /** The shape that an input has in the next run (an output had in the last one). */
  inputShape(which: string | number): number[];
  outputShape(which: string | number): number[];
  /** Sets the shape of an input with dimensions that vary, from the next run on. Write its data afterwards. */
  setInputShape(which: string | number, shape: readonly number[]): void;

  /** Gives the model's variables the values that they have in a new session. */
  reset(): void;
  /** Gives the session's memory back to the plan. May be called again. */
  close(): void;
  [Symbol.dispose](): void;
}
