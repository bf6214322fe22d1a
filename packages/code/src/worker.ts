import { parentPort } from 'node:worker_threads';
import release from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';
import { ProgramMachine, type ThreadState } from './sandbox/machine.js';
import type { ProgramTurn, ThreadMessage } from './sandbox/messages.js';
import { PAGE, takePages } from './sandbox/pages.js';

// A thread that runs programs, one after the other, each in an instance of the interpreter of its own. The interpreter asks the
// thread for the time and for memory, so both are changed here, before it is loaded. Nothing else runs on the thread.

/** How long a program works without a pause until others come first, in milliseconds. */
const LONG = 50;

/** The same for the first program of a thread: until then, much of the interpreter is not compiled. */
const LONG_AT_FIRST = 200;

const thread: ThreadState = {
  mostBytes: Number.POSITIVE_INFINITY,
  full: undefined,
  room: undefined,
  isTired: false,
  patience: LONG_AT_FIRST,
  hasGrown: false,
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

const { grow } = prototype;
prototype.grow = function (this: Memory, pages: number) {
  thread.full = fullFor(this.buffer.byteLength + pages * PAGE, pages);
  // The interpreter asks for less then, several times.
  if (thread.full) throw new RangeError('The program may not have more memory.');
  thread.hasGrown = true;
  return grow.call(this, pages);
};

/** Which limit keeps the memory from growing to a size. */
function fullFor(bytes: number, pages: number): ThreadState['full'] {
  if (bytes > thread.mostBytes) return 'memory';
  return thread.room && !takePages(thread.room, pages) ? 'room' : undefined;
}

const port = parentPort!;

let variant: typeof release;
let machine: ProgramMachine;
/** Whether a program has run here. */
let isWarm = false;

/** Has another interpreter ready, and says so. */
async function prepare(): Promise<void> {
  forget();
  machine = new ProgramMachine(await newQuickJSWASMModuleFromVariant(variant), thread);
  port.postMessage('ready');
}

/** What was before is not that of the next program. */
function forget(): void {
  thread.full = undefined;
  thread.room = undefined;
  thread.hasGrown = false;
  thread.mostBytes = Number.POSITIVE_INFINITY;
}

/**
 * Code of the interpreter is compiled when it first runs. This runs much of it while no program is there, so that no caller waits
 * for that. A program that comes in the middle is not kept waiting: it goes first, and does the same.
 */
async function compileUsual(): Promise<void> {
  const module = await newQuickJSWASMModuleFromVariant(variant);
  const limits = { memory: Number.POSITIVE_INFINITY, result: 1_000, logs: 1_000 };
  let usual: ProgramMachine;
  for (const part of [
    () => (usual = new ProgramMachine(module, thread)),
    () => usual.turn({ start: { code: USUAL, seed: 1, limits, room: undefined }, now: 0, ms: 1_000 }),
    () => usual.turn({ deliver: { number: 1, value: '{"rows":[{"a":1}]}' }, now: 0, ms: 1_000 }),
  ]) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isWarm) return;
    part();
  }
  warmed();
}

function warmed(): void {
  isWarm = true;
  thread.patience = LONG;
}

const USUAL =
  'const { rows } = await tools.find({ a: [1, "b"] }); console.log(`${rows.length}`); return rows.map(({ a }) => a)';

port.on('message', (message: ThreadMessage) => {
  if (message === 'leave') void prepare();
  else if ('module' in message) {
    variant = newVariant(release, { wasmModule: message.module as never });
    void prepare().then(compileUsual);
  } else {
    if ('start' in message) forget();
    port.postMessage(machine.turn(message) satisfies ProgramTurn);
    if (!isWarm) warmed();
  }
});
