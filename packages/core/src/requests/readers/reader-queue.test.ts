import { FakeClock } from '../../../test/support/fake-clock.js';
import { RecordingLogger } from '../../../test/support/recording-logger.js';
import { PIECE_LENGTH, type ReaderOutlet, ReaderQueue } from './reader-queue.js';

/** A connection that takes one part at a time, when a test says so. */
class Outlet implements ReaderOutlet {
  isOpen = true;
  readonly parts: (string | Uint8Array)[] = [];
  ended = false;
  #taken: (() => void) | undefined;

  write(part: string | Uint8Array, taken: () => void): boolean {
    this.parts.push(part);
    this.#taken = taken;
    return false;
  }

  take(): void {
    const taken = this.#taken!;
    this.#taken = undefined;
    taken();
  }

  end(): void {
    this.ended = true;
  }

  cut(): void {
    this.isOpen = false;
  }

  /** What it has got, with everything that still waits for it. */
  readAll(): string {
    while (this.#taken) this.take();
    return Buffer.concat(this.parts.map((part) => Buffer.from(part))).toString();
  }
}

const peer = { principal: undefined, ip: '127.0.0.1', transport: 'http' } as const;
const clock = new FakeClock();
let outlet: Outlet;
let logger: RecordingLogger;
let idle: number;
function open(maxUnreadBytes = 64 * 1_048_576): ReaderQueue {
  outlet = new Outlet();
  logger = new RecordingLogger();
  idle = 0;
  return new ReaderQueue(outlet, { maxUnreadBytes, clock, logger, onIdle: () => void idle++ }, peer);
}

it('sends long texts in pieces, and never half a character', () => {
  const queue = open();
  const text = 'x' + '😀'.repeat(PIECE_LENGTH);
  queue.write(text, 'data: ', '\n\n');
  queue.write('short', 'data: ', '\n\n');
  queue.end();
  expect(outlet.parts).toHaveLength(1);
  expect([queue.isBehind, outlet.ended, idle]).toEqual([true, false, 0]);
  expect(outlet.readAll()).toBe(`data: ${text}\n\ndata: short\n\n`);
  expect([queue.waiting, queue.isBehind, outlet.ended, idle]).toEqual([0, false, true, 1]);
});

it('joins short texts that wait', () => {
  const queue = open();
  for (let count = 0; count < 1_000; count++) queue.write(`line ${count}`, '', '\n');
  expect(outlet.readAll().split('\n')).toHaveLength(1_001);
  expect(outlet.parts).toHaveLength(2);
});

it('writes nothing that could end a line inside of a message', () => {
  const queue = open();
  queue.write('"\u2028"', 'data: ', '\n\n');
  queue.write(`"${'\u0085'.repeat(PIECE_LENGTH)}"`);
  expect(outlet.readAll()).not.toMatch(/[\u0085\u2028]/);
});

it('says once why a client was cut off, and keeps nothing of it', () => {
  const queue = open(100);
  queue.write('x'.repeat(80));
  queue.write('x'.repeat(80));
  queue.write('x'.repeat(80));
  expect([outlet.isOpen, queue.isOpen, queue.waiting]).toEqual([false, false, 0]);
  expect(logger.lines).toEqual([
    {
      level: 'warn',
      fields: { transport: 'http', unreadBytes: 160, quietMs: 0, maxUnreadBytes: 100 },
      message: 'A client was cut off, because it did not read what was sent to it',
    },
  ]);
  outlet.take();
  queue.release();
  expect(outlet.parts).toHaveLength(1);
});
