import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { withServer, type Bar, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { callBytes } from '../wire/call-bytes.js';

const READERS = 100;
const MEBIBYTE = 1024 * 1024;
/** How many milliseconds the memory is watched after the last call has ended. */
const WATCHED_MS = 2_000;

/** What is written for readers that never read. */
const ways = [
  ['progress of 512 KiB', 'chatter', {}],
  ...(['body', 'stream', 'log'] as const).flatMap((way) =>
    [2, 8].map((size) => [`${size} MiB, ${way}`, 'large', { bytes: size * MEBIBYTE, way }] as const),
  ),
] as const;

/** Readers that never read, of one caller or each of its own, and one beside them that reads as fast as it can. */
export const stalledReaders: Scenario = {
  name: 'stalled-readers',
  promise: 'readers that stall cost a bounded amount of memory, and nobody else an answer',
  async run(quick) {
    const bars: Bar[] = [];
    for (const [what, tool, args] of quick ? ways.slice(0, 1) : ways)
      for (const callers of ['of one caller', 'of a caller each'])
        bars.push(
          ...(await stall(
            { what: `${what}, ${callers}`, tool, args, ownCaller: callers !== 'of one caller' },
            quick,
          )),
        );
    return bars;
  },
};

interface Stall {
  readonly what: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly ownCaller: boolean;
}

function stall({ what, tool, args, ownCaller }: Stall, quick: boolean): Promise<Bar[]> {
  return withServer(ServerProcess.start(), async (server) => {
    const before = await server.usage();
    const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'info' };
    const sockets = await Promise.all(
      Array.from({ length: quick ? 10 : READERS }, async (_, index) => {
        const socket = connect(server.port, '127.0.0.1');
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.pause();
        socket.write(callBytes(tool, args, { meta, user: ownCaller ? `user ${index}` : 'user' }));
        return socket;
      }),
    );
    const fast = readFast(server.port);
    let peak = 0;
    let quietSince = performance.now();
    await server.until(({ rss, running }) => {
      peak = Math.max(peak, rss);
      if (running > 0) quietSince = performance.now();
      return performance.now() - quietSince > (quick ? 0 : WATCHED_MS);
    });
    const got = await fast;
    for (const socket of sockets) socket.destroy();
    return [
      {
        figure: `${what}: growth of RSS at its peak`,
        value: (peak - before.rss) / MEBIBYTE,
        unit: 'MiB',
        atMost: 150,
      },
      { figure: `${what}: of 8 MiB, a fast reader got`, value: got / MEBIBYTE, unit: 'MiB', atLeast: 8 },
    ];
  });
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
