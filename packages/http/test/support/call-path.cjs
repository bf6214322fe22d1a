// Counts the source files that one warm call passes, in a server of built and unbundled packages:
//   node call-path.cjs      prints { files, hops } as JSON
const { Session } = require('node:inspector/promises');
const { createServer, request } = require('node:http');
const Module = require('node:module');
const { join } = require('node:path');

const packages = join(__dirname, '../../..');

/** The modules one by one, in place of the bundles. */
const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...rest) {
  const [, owner, entry = 'index'] = /^@toolwright\/([a-z-]+)(?:\/([a-z-]+))?$/.exec(name) ?? [];
  return owner ? join(packages, owner, 'dist', `${entry}.js`) : resolve.call(this, name, ...rest);
};

const { createMcpServer } = require('@toolwright/core');
const { mcpHttp } = require('@toolwright/http');

const fileOf = (url) =>
  url
    .split('/packages/')[1]
    ?.replace('/dist/', '/src/')
    .replace(/\.js.*$/, '.ts');

/** The audit log is told inside of the first guard. */
let stack = '';
const audit = {
  write() {
    Error.stackTraceLimit = 100;
    stack ||= new Error().stack;
  },
  flush() {},
  close() {},
};

async function main() {
  const server = await createMcpServer({ name: 'path', version: '1.0.0', audit });
  server.tools.add({
    name: 'add',
    description: 'Adds two numbers.',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    annotations: { readOnlyHint: true },
    handler: ({ a, b }) => ({ sum: a + b }),
  });
  const http = createServer(mcpHttp(server)).listen(0, '127.0.0.1');
  await new Promise((ready) => http.once('listening', ready));
  const { port } = http.address();
  for (let index = 0; index < 20; index++) await call(port);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await call(port);
  await session.post('Profiler.takePreciseCoverage');
  await call(port);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = result
    .filter(({ functions }) =>
      functions.some(
        ({ functionName, ranges: [{ count, startOffset }] }) =>
          count > 0 && (functionName !== '' || startOffset > 0),
      ),
    )
    .map(({ url }) => fileOf(url))
    // The getters of a package's index stand for its bundle.
    .filter((file) => file?.includes('/src/') && !/\/(index|transport|options|checks)\.ts$/.test(file))
    .sort();
  const frames = stack
    .split('\n')
    .map(fileOf)
    .filter((file) => file && !file.startsWith('core/src/base/'));
  const guard = frames.lastIndexOf('core/src/policies/audit/audit-calls.ts');
  const hops = [...new Set(frames.slice(guard + 1).reverse())];
  console.log(JSON.stringify({ files, hops }));
  process.exit(0);
}

function call(port) {
  const params = {
    name: 'add',
    arguments: { a: 1, b: 2 },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'add',
  };
  return new Promise((done, failed) => {
    const req = request({ host: '127.0.0.1', port, path: '/', method: 'POST', headers }, (res) =>
      res
        .resume()
        .on('end', () => (res.statusCode === 200 ? done() : failed(new Error(`status ${res.statusCode}`)))),
    );
    req.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  });
}

main();
