import { connect, type Socket } from 'node:net';
import { withServer, type Bar, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { callBytes } from '../wire/call-bytes.js';
import { streams } from '../wire/reading-sockets.js';

const READERS = 100;
const MEBIBYTE = 1024 * 1024;
/** How many milliseconds the memory is watched after the last call has ended. */
const WATCHED_MS = 2_000;
/** How many changes are published for streams that hear of changes, and how many at once. */
const CHANGES = 200_000;
const AT_ONCE = 1_000;
/** MiB by which readers that stall may let the process grow. */
const GROWTH = 150;
/** What may still be there after a collection: 64 MiB that wait, and about as much that V8 and malloc give back late. */
const HELD = 180;
/** Of sessions, 64 MiB of events are kept, too. */
const HELD_OF_SESSIONS = HELD + 64;

interface Stall {
  readonly what: string;
  readonly via: keyof typeof streams;
  readonly tool?: string;
  readonly args?: Record<string, unknown>;
  readonly ownCaller?: boolean;
  /**
   * True where making the answers costs so much memory that V8 decides how much stays: it collects strings of this size
   * rarely. Then the growth is compared with that for readers that read.
   */
  readonly isLarge?: boolean;
}

const large = (via: Stall['via'], size: number, way: string) => ({
  via,
  tool: 'large',
  args: { bytes: size * MEBIBYTE, way },
  isLarge: size > 2 || via !== '2026-07-28',
});

/** What is written for readers that never read. */
const stalls: readonly Stall[] = [
  ...[
    { what: 'progress of 512 KiB', via: '2026-07-28' as const, tool: 'chatter', args: {} },
    ...(['body', 'stream', 'log'] as const).flatMap((way) =>
      [2, 8, 32].map((size) => ({ what: `${size} MiB, ${way}`, ...large('2026-07-28', size, way) })),
    ),
  ].flatMap((stall): Stall[] => [
    ...(stall.what.startsWith('32') ? [] : [{ ...stall, what: `${stall.what}, of one caller` }]),
    { ...stall, what: `${stall.what}, of a caller each`, ownCaller: true },
  ]),
  ...(['a session', 'a resumed stream', 'HTTP+SSE'] as const).flatMap((via) =>
    [2, 8, 32].map((size) => ({
      what: `${size} MiB, ${via}`,
      ...large(via, size, 'stream'),
      ownCaller: true,
    })),
  ),
  ...(['GET', 'subscriptions/listen'] as const).map((via) => ({
    what: `changes, ${via}`,
    via,
    ownCaller: true,
    isLarge: true,
  })),
];

/** Readers that never read, of one caller or each of its own, and one beside them that reads as fast as it can. */
export const stalledReaders: Scenario = {
  name: 'stalled-readers',
  promise: 'readers that stall cost a bounded amount of memory, and nobody else an answer',
  async *run(quick) {
    for (const stall of quick ? stalls.slice(0, 1) : stalls) yield await judge(stall, quick);
  },
};

async function judge(stall: Stall, quick: boolean): Promise<Bar[]> {
  const { what } = stall;
  const { peak, held, got } = await measure(stall, false, quick);
  const unit = 'MiB';
  const atMostHeld = /session|resumed/.test(stall.via) ? HELD_OF_SESSIONS : HELD;
  const bars: Bar[] = [
    { figure: `${what}: of 8 MiB, a fast reader got`, value: got, unit, atLeast: 8 },
    { figure: `${what}: growth of RSS after a collection`, value: held, unit, atMost: atMostHeld },
  ];
  if (!stall.isLarge)
    return [{ figure: `${what}: growth of RSS at its peak`, value: peak, unit, atMost: GROWTH }, ...bars];
  const { peak: usual } = await measure(stall, true, quick);
  return [
    { figure: `${what}: growth of RSS at its peak`, value: peak, unit },
    { figure: `${what}: the same for readers that read`, value: usual, unit },
    { figure: `${what}: the difference`, value: peak - usual, unit, atMost: GROWTH },
    ...bars,
  ];
}

/** Growth of RSS in MiB: at its peak, and while the readers still wait; and how much one more reader got. */
function measure({ via, tool = '', args = {}, ownCaller }: Stall, reads: boolean, quick: boolean) {
  return withServer(ServerProcess.start({ http: { sse: true } }), async (server) => {
    const before = await server.usage();
    const { port } = server;
    const sockets = await Promise.all(
      Array.from({ length: quick ? 10 : READERS }, (_, index) =>
        streams[via]({ port, tool, args, reads, user: ownCaller ? `user ${index}` : 'user' }),
      ),
    );
    if (tool === '') void publish(server);
    const fast = readFast(port);
    let peak = 0;
    let quietSince = performance.now();
    await server.until(({ rss, running }) => {
      peak = Math.max(peak, rss);
      if (running > 0) quietSince = performance.now();
      return performance.now() - quietSince > (quick ? 0 : WATCHED_MS);
    });
    const got = await fast;
    const { rss } = await server.usageCollected();
    for (const socket of sockets) socket.destroy();
    const inMebibytes = (bytes: number) => bytes / MEBIBYTE;
    return {
      peak: inMebibytes(peak - before.rss),
      held: inMebibytes(rss - before.rss),
      got: inMebibytes(got),
    };
  });
}

async function publish(server: ServerProcess): Promise<void> {
  for (let sent = 0; sent < CHANGES && server.alive; sent += AT_ONCE) {
    for (let each = 0; each < AT_ONCE; each++) server.order('publish');
    await server.usage();
  }
}

/** Resolves with how many bytes of an answer of 8 MiB a caller gets that reads as fast as it can. */
async function readFast(port: number): Promise<number> {
  const socket: Socket = connect(port, '127.0.0.1');
  let bytes = 0;
  let end = '';
  socket.on('error', () => undefined);
  socket.write(
    callBytes('large', { bytes: 8 * MEBIBYTE, way: 'stream' }, { meta: { progressToken: 1 }, user: 'fast' }),
  );
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    end = (end + chunk.subarray(-8).toString('latin1')).slice(-8);
    if (end.endsWith('\r\n0\r\n\r\n')) break;
  }
  return bytes;
}
