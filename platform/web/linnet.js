// SPDX-License-Identifier: Apache-2.0
// Linnet for browsers and Node; linnet.d.ts documents what this module exports. Each plan has an
// instance of linnet.wasm for itself: so its memory is given back as a whole, when the plan is
// closed or collected, and an untrusted plan can reach no other.

// By linnet_dtype. Float16 is seen as its bits and bool as bytes, for want of such arrays.
const TYPES = [
  null,
  ["float32", Float32Array],
  ["float16", Uint16Array],
  ["int32", Int32Array],
  ["int64", BigInt64Array],
  ["uint8", Uint8Array],
  ["int8", Int8Array],
  ["bool", Uint8Array],
  ["int16", Int16Array],
  ["uint16", Uint16Array],
  ["float64", Float64Array],
];

export class LinnetError extends Error {
  constructor(status, text, cause) {
    super(text, cause === undefined ? undefined : { cause });
    this.name = "LinnetError";
    this.status = status;
  }
}

const misuse = (text) => new LinnetError("LINNET_INVALID_ARGUMENT", text);
const dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

// ---- linnet.wasm

let compiled = null;

export async function load(source = new URL("linnet.wasm", import.meta.url)) {
  const attempt = compile(source);
  compiled = attempt;
  try {
    await attempt;
  } catch (error) {
    if (compiled === attempt) compiled = null; // the next call may be luckier
    throw error;
  }
}

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  return WebAssembly.compile(typeof source === "string" || source instanceof URL ? await read(source) : source);
}

const inNode = globalThis.process?.versions?.node !== undefined;
const ofNode = (name) => import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);

// What a relative URL is relative to: the page, in Node the working folder.
async function base() {
  if (!inNode) return globalThis.location?.href;
  const { pathToFileURL } = await ofNode("url");
  return pathToFileURL(`${globalThis.process.cwd()}/`);
}

// The bytes at a URL. Node's fetch knows no files.
async function read(url, options) {
  let where = url;
  let why;
  try {
    where = new URL(url, await base());
    if (inNode && where.protocol === "file:") {
      const { readFile } = await ofNode("fs/promises");
      return await readFile(where);
    }
    const response = await fetch(where, options);
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    why = `HTTP status ${response.status}`;
  } catch (error) {
    why = error.message;
  }
  throw new LinnetError("LINNET_IO", `cannot read ${where}: ${why}`);
}

// The module imports functions of WASI because its C library would print with them before it
// aborts. None is there: each answers ENOSYS.
const system = new Proxy({}, { get: () => () => 52 });

const decoder = new TextDecoder();

// An instance with its plan, and how to read its memory. The buffer changes whenever it grows.
class Instance {
  plan = 0;
  sessions = new Set();

  static async create() {
    if (compiled === null) await load();
    const { exports } = await WebAssembly.instantiate(await compiled, { wasi_snapshot_preview1: system });
    exports._initialize();
    return new Instance(exports);
  }
  constructor(exports) {
    this.exports = exports;
  }

  // Calls a function of the module. A trap leaves the instance in no state to go on with.
  call(name, ...values) {
    if (this.exports === null) throw misuse("the plan is closed");
    try {
      return this.exports[name](...values);
    } catch (error) {
      this.close();
      throw new LinnetError("LINNET_INTERNAL", `the runtime stopped, so the plan is closed: ${error.message}`, error);
    }
  }
  // The same, for functions that return addresses.
  find(name, ...values) {
    return this.call(name, ...values) >>> 0;
  }
  close() {
    this.exports = null;
    this.sessions.clear();
  }

  get buffer() {
    return this.exports.memory.buffer;
  }
  text(at) {
    const bytes = new Uint8Array(this.buffer, at);
    return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
  }
  // A linnet_error.
  error(at) {
    const status = new DataView(this.buffer).getInt32(at, true);
    return new LinnetError(this.text(this.find("linnet_status_name", status)), this.text(at + 16));
  }
  dims(at, rank) {
    return Array.from(new BigInt64Array(this.buffer, at, rank), Number);
  }
  // A linnet_tensor_info.
  info(at) {
    const view = new DataView(this.buffer, at);
    const word = (offset) => view.getUint32(offset, true);
    const [dtype, type] = TYPES[word(8)];
    const shape = this.dims(at + 16, word(12));
    return Object.freeze({
      name: this.text(word(0)),
      source: this.text(word(4)),
      dtype,
      type,
      shape: Object.freeze(shape),
      varies: Object.freeze(shape.map((_, d) => ((word(88) >> d) & 1) === 1)),
    });
  }
}

// ---- Plans

let instanceOf; // of a plan, for sessions

export class Plan {
  #instance;
  static {
    instanceOf = (plan) => plan.#instance;
  }

  static async fetch(url, options) {
    return Plan.open(await read(url, options));
  }

  static async open(bytes) {
    if (!ArrayBuffer.isView(bytes) && Object.prototype.toString.call(bytes) !== "[object ArrayBuffer]")
      throw misuse("Plan.open takes a plan's bytes, as an ArrayBuffer or an array");
    const from = ArrayBuffer.isView(bytes)
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      : new Uint8Array(bytes);
    return new Plan(await Instance.create(), from);
  }

  constructor(instance, bytes) {
    if (!(instance instanceof Instance)) throw misuse("plans are made by Plan.open and Plan.fetch");
    this.#instance = instance;
    const at = instance.find("allocate", bytes.length);
    if (at === 0) throw new LinnetError("LINNET_NO_MEMORY", `no memory for a plan of ${bytes.length} bytes`);
    new Uint8Array(instance.buffer, at).set(bytes);
    const plan = (instance.plan = instance.find("open", at, bytes.length));
    if (plan === 0) throw instance.error(instance.find("last_error"));
    const infos = (kind, signature) =>
      Object.freeze(
        Array.from({ length: instance.call(`linnet_plan_num_${kind}s`, plan, signature) }, (_, index) =>
          instance.info(instance.find(`linnet_plan_${kind}_info`, plan, signature, index)),
        ),
      );
    const describe = (_, signature) =>
      Object.freeze({
        name: instance.text(instance.find("linnet_plan_signature", plan, signature)),
        inputs: infos("input", signature),
        outputs: infos("output", signature),
      });
    this.signatures = Object.freeze(
      Array.from({ length: instance.call("linnet_plan_num_signatures", plan) }, describe),
    );
  }

  close() {
    this.#instance.close();
  }
  [dispose]() {
    this.close();
  }
}

// ---- Sessions

export class Session {
  #instance;
  #address;

  constructor(plan, { signature, maxBytes } = {}) {
    if (!(plan instanceof Plan)) throw misuse("a session is made of a Plan");
    // Nothing that is no number may become "no limit".
    if (maxBytes !== undefined && !(maxBytes >= 1)) throw misuse(`maxBytes is a number of bytes, not ${maxBytes}`);
    const index = signature === undefined ? 0 : plan.signatures.findIndex(({ name }) => name === signature);
    if (index < 0) throw misuse(missing("signature", signature, plan.signatures));
    const instance = (this.#instance = instanceOf(plan));
    this.#address = instance.find("create", instance.plan, index, Math.min(maxBytes ?? 0, 2 ** 32 - 1));
    if (this.#address === 0) throw instance.error(instance.find("last_error"));
    instance.sessions.add(this);
    this.inputs = plan.signatures[index].inputs;
    this.outputs = plan.signatures[index].outputs;
  }

  input(which) {
    return this.#array("input", which);
  }
  output(which) {
    return this.#array("output", which);
  }
  inputShape(which) {
    return this.#shape("input", this.#index("input", which));
  }
  outputShape(which) {
    return this.#shape("output", this.#index("output", which));
  }

  setInputShape(which, shape) {
    const index = this.#index("input", which);
    const at = this.#open().find("shape");
    if (!Array.isArray(shape) || shape.length > 8 || !shape.every(Number.isSafeInteger))
      throw misuse(`a shape is a list of at most 8 integers, not [${shape}]`);
    new BigInt64Array(this.#instance.buffer, at).set(shape.map(BigInt));
    this.#check(this.#call("linnet_session_set_input_shape", index, at, shape.length));
  }

  run(feeds) {
    if (feeds !== undefined) this.#write(feeds);
    this.#check(this.#call("linnet_session_run"));
    if (feeds === undefined) return undefined;
    return Object.fromEntries(this.outputs.map(({ name }, index) => [name, this.output(index).slice()]));
  }

  reset() {
    this.#call("linnet_session_reset");
  }

  close() {
    if (this.#instance.sessions.delete(this)) this.#instance.call("linnet_session_destroy", this.#address);
  }
  [dispose]() {
    this.close();
  }

  #open() {
    if (!this.#instance.sessions.has(this)) throw misuse("the session is closed");
    return this.#instance;
  }
  #call(name, ...values) {
    return this.#open().call(name, this.#address, ...values);
  }
  #check(status) {
    if (status !== 0) throw this.#instance.error(this.#call("linnet_session_last_error") >>> 0);
  }

  #infos(kind) {
    return kind === "input" ? this.inputs : this.outputs;
  }
  #index(kind, which) {
    const index = indexOf(this.#infos(kind), which);
    if (index < 0) throw misuse(missing(kind, which, this.#infos(kind)));
    return index;
  }
  #shape(kind, index) {
    const at = this.#open().find("shape");
    return this.#instance.dims(at, this.#call(`linnet_session_${kind}_shape`, index, at));
  }
  #array(kind, which) {
    const index = this.#index(kind, which);
    const count = this.#shape(kind, index).reduce((product, extent) => product * extent, 1);
    const at = this.#call(`linnet_session_${kind}_data`, index) >>> 0;
    return new (this.#infos(kind)[index].type)(this.#instance.buffer, at, count);
  }

  // Copies all inputs, or says what is wrong with any of them and copies none.
  #write(feeds) {
    this.#open();
    const problems = [];
    const given = new Map();
    for (const [name, value] of Object.entries(feeds ?? {})) {
      const index = indexOf(this.inputs, name);
      if (index < 0) problems.push(missing("input", name, this.inputs));
      else given.set(index, value);
    }
    const copies = this.inputs.map((info, index) => {
      const to = this.input(index);
      const from = given.get(index);
      const label = `input '${info.name}'`;
      if (!given.has(index)) problems.push(`${label} is not given`);
      else if (!fits(from, info.type)) problems.push(`${label} takes a ${info.type.name}, not ${kindOf(from)}`);
      else if (from.length !== to.length)
        problems.push(`${label} has the shape [${this.inputShape(index)}], so ${to.length} elements, not ${from.length}`);
      return () => to.set(from);
    });
    if (problems.length > 0) throw misuse(problems.join("; "));
    for (const copy of copies) copy();
  }
}

// The index of the input or output, or -1. "x" and "x:0" are the same name.
function indexOf(infos, which) {
  if (typeof which === "number") return infos[which] === undefined ? -1 : which;
  const plain = (name) => name.replace(/:0$/, "");
  return infos.findIndex(({ name, source }) => [name, source].map(plain).includes(plain(String(which))));
}

function missing(kind, which, infos) {
  const names = infos.map(({ name }) => `'${name}'`).join(", ");
  return `there is no ${kind} ${typeof which === "number" ? which : `'${which}'`}, only ${names}`;
}

const kindOf = (value) => (value === null || value === undefined ? `${value}` : `a ${value.constructor?.name}`);

// Pictures of a canvas are Uint8ClampedArrays.
const fits = (array, type) =>
  array instanceof type || (type === Uint8Array && array instanceof Uint8ClampedArray);
