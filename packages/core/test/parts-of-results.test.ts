import { type McpServer, type ServerOptions, type ToolContext, createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { RecordingLogger } from './support/recording-logger.js';

const APPS = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};
const rows = {
  type: 'array',
  items: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
};
const climate = {
  type: 'object',
  properties: { city: { type: 'string' }, months: { type: 'array', items: { type: 'number' } } },
  required: ['city', 'months'],
  additionalProperties: false,
};

interface Definition {
  outputSchema?: object;
  ui?: unknown;
  handler: (args: unknown, ctx: ToolContext) => unknown;
}

const servers = closedAfterEach<McpServer>((server) => server.close(0));

/** A server with one tool that has a page. */
async function start(definition: Definition, options: Partial<ServerOptions> = {}): Promise<McpServer> {
  const logger = new RecordingLogger();
  const server = await createMcpServer({ name: 'rows', version: '1.0.0', services: [], logger, ...options });
  servers.push(server);
  server.resources.add({ uri: 'ui://rows/page', name: 'page', ui: {}, handler: () => '<p>' });
  server.tools.add({
    name: 'rows',
    description: 'Rows.',
    annotations: { readOnlyHint: true },
    ui: 'ui://rows/page',
    ...definition,
  } as never);
  return server;
}

/** The parts that a client gets while it calls the tool, and the result. */
async function call(server: McpServer, { capabilities = APPS as object } = {}) {
  const client = await connect(server, { capabilities: capabilities as never });
  const parts: unknown[] = [];
  let reports = 0;
  const { structuredContent } = await client.request(
    'tools/call',
    { name: 'rows', arguments: {} },
    {
      onProgress: ({ part }) => {
        reports++;
        if (part !== undefined) parts.push(part);
      },
    },
  );
  await client.close();
  return { parts, reports, result: structuredContent };
}

async function* items(count = 3) {
  for (let id = 1; id <= count; id++) yield { id };
}

it('the items of a stream are parts of its result', async () => {
  const server = await start({ outputSchema: rows, handler: () => items() });
  const { parts, result } = await call(server);
  expect(parts).toEqual([[{ id: 1 }], [{ id: 2 }], [{ id: 3 }]]);
  expect(result).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
});

it('parts have all digits of the integers of a result', async () => {
  const ids = [9007199254740993n, 2n ** 60n];
  const server = await start({
    outputSchema: rows,
    handler: async function* () {
      for (const id of ids) yield { id };
    },
  });
  const { parts } = await call(server);
  expect(parts.flat().map((each) => BigInt((each as { id: string }).id))).toEqual(ids);
});

it('parts that come faster than reports are sent arrive together', async () => {
  const server = await start({ outputSchema: rows, handler: () => items(500) });
  const { parts, reports, result } = await call(server);
  expect(reports).toBeLessThanOrEqual(32);
  expect(parts.flat()).toEqual(result);
});

it('a method sends some properties of its result with its progress, without what is not declared', async () => {
  const server = await start({
    outputSchema: climate,
    handler: (_args, { progress }) => {
      progress(1, 3, 'January', { city: 'Bern' });
      progress(2, 3, 'February', { months: [4], secret: 'not declared' });
      return { city: 'Bern', months: [4, 9] };
    },
  });
  expect(await call(server)).toMatchObject({
    parts: [{ city: 'Bern' }, { months: [4] }],
    reports: 2,
    result: { city: 'Bern', months: [4, 9] },
  });
});

it('a part that does not fit is left out with all that follow, and the log says so', async () => {
  const logger = new RecordingLogger();
  const handler: Definition['handler'] = (_args, { progress }) => {
    progress(1, undefined, undefined, { city: 7 });
    progress(2, undefined, undefined, { city: 'Bern' });
    return { city: 'Bern', months: [] };
  };
  const server = await start({ outputSchema: climate, handler }, { logger });
  expect(await call(server)).toMatchObject({ parts: [], reports: 2, result: { city: 'Bern' } });
  expect(logger.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', message: 'A part of a result does not fit its schema' }),
  );
});

it.each([
  ['clients that show no apps', {}, { capabilities: {} }],
  ['tools without a page', { ui: undefined }, { capabilities: APPS }],
  ['tools without an output schema', { outputSchema: undefined }, { capabilities: APPS }],
])('%s get no parts', async (_case, definition, client) => {
  const server = await start({ outputSchema: rows, handler: () => items(), ...definition });
  expect(await call(server, client)).toMatchObject({ parts: [], reports: 3 });
});

it('items are no parts where middleware may change the result', async () => {
  const server = await start(
    { outputSchema: rows, handler: () => items() },
    { middleware: [{ middleware: (_call, next) => next(), appliesTo: ['tool'] }] },
  );
  expect(await call(server)).toMatchObject({ parts: [], reports: 3 });
});

it('parts end where the limit of the result is reached', async () => {
  const server = await start({ outputSchema: rows, handler: () => items(40) }, { output: { maxBytes: 40 } });
  const { parts } = await call(server);
  expect(parts).toEqual([[{ id: 1 }], [{ id: 2 }], [{ id: 3 }]]);
});

it('observers see no part on a server with a value that is marked sensitive', async () => {
  const secret = { ...climate.properties, pin: { type: 'string', 'x-sensitive': true } };
  const server = await start({
    outputSchema: { type: 'object', properties: secret },
    ui: { resourceUri: 'ui://rows/page', sensitive: ['pin'] },
    handler: (_args, { progress }) => {
      progress(1, undefined, undefined, { pin: 'her-secret-pin' });
      return { pin: 'her-secret-pin' };
    },
  });
  const seen: unknown[] = [];
  server.on('message', ({ message }) => void seen.push(message));
  expect((await call(server)).parts).toEqual([{ pin: 'her-secret-pin' }]);
  expect(JSON.stringify(seen)).toContain('toolwright/partial');
  expect(JSON.stringify(seen)).not.toContain('her-secret-pin');
});
