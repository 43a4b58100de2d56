// SPDX-License-Identifier: Apache-2.0
// What TypeScript must take, and what it must not. Compiled, not run.
import { Plan, Session, LinnetError, load, type TensorInfo } from "./linnet.js";

export async function main(): Promise<number> {
  await load(new URL("https://example.org/linnet.wasm"));
  using plan = await Plan.fetch("movenet.linnet", { cache: "force-cache" });
  using session = new Session(plan, { signature: "serving_default", maxBytes: 1e8 });
  const info: TensorInfo = session.inputs[0]!;
  session.setInputShape(info.name, [1, 2]);
  const outputs = session.run({ x: new Int32Array(3), image: new Uint8ClampedArray(4) });
  session.run();
  const first = outputs["y"];
  if (first instanceof Float32Array) return first[0]! + session.output(0).length;
  try { session.input("x"); } catch (error) { if (error instanceof LinnetError) return error.status.length; }
  const made = new info.type(5);
  made.fill(0 as never);
  // @ts-expect-error
  new Plan();
  // @ts-expect-error
  session.run({ x: [1, 2] });
  // @ts-expect-error
  plan.signatures.push(1);
  return 0;
}
