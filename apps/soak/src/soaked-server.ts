import { createMcpServer, type ServerOptions, type ToolContext } from '@toolwright/core';
import { serveHttp, type ServeHttpOptions } from '@toolwright/http';
import { silentLogger } from '@toolwright/core/ports';

export interface ServerSettings {
  server?: Partial<ServerOptions>;
  http?: Partial<ServeHttpOptions>;
}

/** What the server process tells of itself. Times are of the monotonic clock, in milliseconds. */
export interface Usage {
  heapUsed: number;
  rss: number;
  running: number;
  sessions: number;
  listeners: number;
  abortedAt: Record<string, number>;
}

export type Order = 'usage' | 'collect' | 'release' | 'publish';

/** The clock that all processes of a machine share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const milliseconds = { type: 'object', properties: { ms: { type: 'number' } }, required: ['ms'] };
const CHATTER_BYTES = 512 * 1024;
const CHATTER_STEPS = 300;
const LINE_BYTES = 16 * 1024;

async function main(): Promise<void> {
  const settings = JSON.parse(process.argv[2] ?? '{}') as ServerSettings;
  let running = 0;
  const held: (() => void)[] = [];
  const abortedAt: Record<string, number> = {};
  const server = await createMcpServer({
    name: 'soaked',
    version: '1.0.0',
    services: [],
    rateLimit: false,
    concurrency: false,
    logger: silentLogger,
    ...settings.server,
  });
  const counted =
    <T>(handler: (args: Record<string, unknown>, context: ToolContext) => Promise<T>) =>
    async (args: Record<string, unknown>, context: ToolContext) => {
      running++;
      try {
        return await handler(args, context);
      } finally {
        running--;
      }
    };
  const { tools } = server;
  tools.add({ name: 'echo', description: 'Echo.', inputSchema: text, handler: ({ text: said }) => said });
  tools.add({
    name: 'canary',
    description: 'Tells who asks, a turn later.',
    inputSchema: text,
    handler: async ({ text: said }, { principal }) => {
      await new Promise((resolve) => setImmediate(resolve));
      return `${principal?.subject} ${said as string}`;
    },
  });
  tools.add({
    name: 'work',
    description: 'Takes a while.',
    inputSchema: milliseconds,
    handler: counted(async ({ ms }) => {
      await new Promise((resolve) => setTimeout(resolve, ms as number));
      return 'done';
    }),
  });
  tools.add({
    name: 'hold',
    description: 'Waits to be released.',
    handler: counted(async () => {
      await new Promise<void>((resolve) => held.push(resolve));
      return 'released';
    }),
  });
  tools.add({
    name: 'hang',
    description: 'Waits to be given up.',
    inputSchema: text,
    handler: counted(
      ({ text: label }, { signal }) =>
        new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => {
            abortedAt[label as string] = monotonicMs();
            reject(new Error('aborted'));
          });
        }),
    ),
  });
  tools.add({
    name: 'chatter',
    description: 'Reports at length, again and again.',
    handler: counted(async (_args, context) => {
      for (let step = 1; step <= CHATTER_STEPS && !context.signal.aborted; step++) {
        context.progress(step, CHATTER_STEPS, `${step} ${'x'.repeat(CHATTER_BYTES)}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return 'said';
    }),
  });
  tools.add({
    name: 'large',
    description: 'Answers at length: in one body, after progress, or in many lines of the log.',
    inputSchema: {
      type: 'object',
      properties: { bytes: { type: 'number' }, way: { enum: ['body', 'stream', 'log'] } },
    },
    handler: ({ bytes, way }, context) => {
      const length = bytes as number;
      if (way === 'body') return 'x'.repeat(length);
      context.progress(1, 2);
      if (way === 'stream') return 'x'.repeat(length);
      for (let sent = 0; sent < length; sent += LINE_BYTES) context.log.info('x'.repeat(LINE_BYTES));
      return 'said';
    },
  });
  const service = await serveHttp(server, {
    port: 0,
    principal: ({ headers: { 'x-user': user, 'x-tenant': tenant } }) =>
      user ? { subject: String(user), scopes: [], ...(tenant && { tenant: String(tenant) }) } : undefined,
    ...settings.http,
  });
  process.on('message', (order: Order) => {
    if (order === 'release') for (const release of held.splice(0)) release();
    if (order === 'publish') server.resourceUpdated('soak://news');
    if (order !== 'usage' && order !== 'collect') return;
    // Twice: what finalizers let go of is collected by the second.
    for (let round = 0; order === 'collect' && round < 2; round++) globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    const { sessions, subscriptions } = server.protocol.load;
    const usage: Usage = {
      heapUsed,
      rss,
      running,
      sessions,
      listeners: subscriptions,
      abortedAt,
    };
    process.send!(usage);
  });
  server.resources.add({ name: 'news', uri: 'soak://news', handler: () => 'news' });
  // Nobody is left to talk to.
  process.on('disconnect', () => process.exit(0));
  process.send!({ port: service.port });
}

if (require.main === module) void main();
