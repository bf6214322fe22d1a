import { parentPort, workerData } from 'node:worker_threads';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';
import { ProgramMachine, type ThreadState } from './sandbox/machine.js';
import type { Order, ThreadData, ProgramTurn } from './sandbox/messages.js';

// A thread that runs programs, one after the other, each in an instance of the interpreter of its own. The interpreter asks the
// thread for the time and for memory, so both are changed here, before it is loaded. Nothing else runs on the thread.

/** How long a program works without a pause until others come first, in milliseconds. */
const LONG = 50;

const thread: ThreadState = {
  mostBytes: Number.POSITIVE_INFINITY,
  isFull: false,
  isTired: false,
  patience: Number.POSITIVE_INFINITY,
  grown: 0,
  now: 0,
};

// The interpreter asks for the time zone in this way.
for (const part of [
  'FullYear',
  'Month',
  'Date',
  'Day',
  'Hours',
  'Minutes',
  'Seconds',
  'Milliseconds',
] as const)
  Date.prototype[`get${part}`] = Date.prototype[`getUTC${part}`];
Date.prototype.getTimezoneOffset = () => 0;
// oxlint-disable-next-line own/no-date-now -- It is replaced, and not read.
Date.now = () => thread.now;

/** What of the memory of WebAssembly is used here. The types of Node.js do not have it. */
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
const { prototype } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } })
  .WebAssembly.Memory;

const PAGE = 65_536;
const { grow } = prototype;
prototype.grow = function (this: Memory, pages: number) {
  thread.isFull = this.buffer.byteLength + pages * PAGE > thread.mostBytes;
  if (thread.isFull) throw new RangeError('The program may not have more memory.');
  thread.grown += pages * PAGE;
  return grow.call(this, pages);
};

const port = parentPort!;
const compiled = newVariant(variant, { wasmModule: (workerData as ThreadData).module as never });

let machine: ProgramMachine;

/** Has another interpreter ready, and says so. */
function prepare(): void {
  thread.isFull = false;
  thread.grown = 0;
  thread.mostBytes = Number.POSITIVE_INFINITY;
  void newQuickJSWASMModuleFromVariant(compiled).then((module) => {
    machine = new ProgramMachine(module, thread);
    port.postMessage('ready');
  });
}

/** Code of the interpreter is compiled when it first runs. This runs much of it, so that no caller waits for that. */
async function compileUsual(): Promise<void> {
  const usual = new ProgramMachine(await newQuickJSWASMModuleFromVariant(compiled), thread);
  const limits = { memory: Number.POSITIVE_INFINITY, result: 1_000, logs: 1_000 };
  usual.turn({ start: { code: USUAL, seed: 1, limits }, now: 0, ms: 1_000 });
  usual.turn({ deliver: { number: 1, value: '{"rows":[{"a":1}]}' }, now: 0, ms: 1_000 });
  thread.patience = LONG;
}

const USUAL =
  'const { rows } = await tools.find({ a: [1, "b"] }); console.log(`${rows.length}`); return rows.map(({ a }) => a)';

port.on('message', (order: Order | 'leave') => {
  if (order === 'leave') prepare();
  else port.postMessage(machine.turn(order) satisfies ProgramTurn);
});
void compileUsual().then(prepare);
