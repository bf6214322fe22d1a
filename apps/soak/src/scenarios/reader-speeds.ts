import type { Socket } from 'node:net';
import { withServer, type Bar, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { type ReadCall, streams } from '../wire/reading-sockets.js';

const MEBIBYTE = 1024 * 1024;
/** MiB of an answer. */
const SIZES = [0.5, 1, 2, 8, 32];
/** What one stopped reader may cost: 64 MiB that wait, 64 of events that a session keeps, and what V8 gives back late. */
const HELD = 180;
/** What the tool `large` fills its answers with. */
const FILLED = 'x'.charCodeAt(0);

type Via = keyof typeof streams;

const ways: readonly (readonly [what: string, via: Via, way: string])[] = [
  ['a stream of 2026-07-28', '2026-07-28', 'stream'],
  ['lines of a log', '2026-07-28', 'log'],
  ['one body of JSON', '2026-07-28', 'body'],
  ['a stream of 2025-11-25', 'a session', 'stream'],
  ['one body of 2025-11-25', 'a session', 'body'],
  ['a resumed stream', 'a resumed stream', 'stream'],
  ['HTTP+SSE', 'HTTP+SSE', 'stream'],
];

/** Whoever reads gets all, at whatever speed; who stops reading costs nobody else an answer, and gets it later. */
export const readerSpeeds: Scenario = {
  name: 'reader-speeds',
  promise:
    'a message of any size reaches a fast reader, a slow one, and one that goes on after it had stopped',
  async *run(quick) {
    for (const [what, via, way] of quick ? ways.slice(0, 1) : ways)
      yield await withServer(ServerProcess.start({ http: { sse: true } }), (server) =>
        judge(server, { what, via, way }, quick ? SIZES.slice(0, 1) : SIZES),
      );
  },
};

async function judge(
  server: ServerProcess,
  { what, via, way }: { what: string; via: Via; way: string },
  sizes: readonly number[],
): Promise<Bar[]> {
  const bars: Bar[] = [];
  const before = await server.usage();
  const open = (speed: string, size: number, on: Via = via) => {
    const args = { bytes: size * MEBIBYTE, way: on === via ? way : 'stream' };
    const call: ReadCall = { port: server.port, tool: 'large', args, reads: false, user: `${speed} ${size}` };
    return streams[on](call);
  };
  for (const size of sizes) {
    const whole = { unit: 'MiB', atLeast: size };
    const note = (who: string, value: number) =>
      void bars.push({ figure: `${size} MiB, ${what}: ${who} got`, value, ...whole });
    for (const speed of ['a fast reader', 'a slow reader'])
      note(speed, await readAll(await open(speed, size), size, speed === 'a slow reader'));
    const stopped = await open('a stopped reader', size);
    note('a reader beside a stopped one', await readAll(await open('beside', size, '2026-07-28'), size));
    const { rss } = await server.usageCollected();
    const held = (rss - before.rss) / MEBIBYTE;
    bars.push({ figure: `${size} MiB, ${what}: growth of RSS`, value: held, unit: 'MiB', atMost: HELD });
    note('the stopped reader, when it goes on,', await readAll(stopped, size));
  }
  return bars;
}

/** Reads to the end of an answer. A slow reader waits after each piece. Resolves with the MiB that came. */
function readAll(socket: Socket, size: number, isSlow = false): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0;
    const end = () => {
      socket.destroy();
      resolve(bytes / MEBIBYTE);
    };
    socket.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === FILLED) bytes++;
      if (bytes >= size * MEBIBYTE) return end();
      if (!isSlow) return;
      socket.pause();
      setTimeout(() => socket.resume(), 1);
    });
    socket.on('close', end).resume();
  });
}
