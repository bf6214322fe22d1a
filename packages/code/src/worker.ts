import { parentPort } from 'node:worker_threads';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import { Machine, type ThreadState } from './sandbox/machine.js';
import type { Order, Turn } from './sandbox/messages.js';

// The thread of one program. Its own clock and the limit of its memory are changed for the interpreter, which asks the thread
// for both. Nothing else runs here.

const thread: ThreadState = { mostBytes: Number.POSITIVE_INFINITY, isFull: false, now: 0 };

// The interpreter asks for the time zone in this way.
for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'] as const)
  Date.prototype[`get${part}`] = Date.prototype[`getUTC${part}`];
Date.prototype.getTimezoneOffset = () => 0;
Date.now = () => thread.now;

/** What of the memory of WebAssembly is used here. The types of Node.js do not have it. */
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
const { prototype } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } }).WebAssembly.Memory;

const PAGE = 65_536;
const { grow } = prototype;
prototype.grow = function (this: Memory, pages: number) {
  thread.isFull = this.buffer.byteLength + pages * PAGE > thread.mostBytes;
  if (thread.isFull) throw new RangeError('The program may not have more memory.');
  return grow.call(this, pages);
};

const port = parentPort!;
const module = newQuickJSWASMModuleFromVariant(variant);

let machine: Machine | undefined;
port.on('message', async (order: Order) => {
  if ('start' in order) machine = new Machine(await module, thread, order.start);
  port.postMessage(machine!.turn(order) satisfies Turn);
});

void module.then(() => port.postMessage('ready'));
