// Lists the source files that run code between `createMcpServer` and listening, in a server of built and
// unbundled packages with two decorated tools and an audit log:
//   node boot-path.cjs <folder for the log>      prints the files as JSON
const { Session } = require('node:inspector/promises');
const Module = require('node:module');
const { join } = require('node:path');

const packages = join(__dirname, '../../..');

/** The modules one by one, in place of the bundles. */
const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...rest) {
  const [, owner, entry = 'index'] = /^@toolwright\/([a-z-]+)(?:\/(.+))?$/.exec(name) ?? [];
  return owner ? join(packages, owner, 'dist', `${entry}.js`) : resolve.call(this, name, ...rest);
};

const { createMcpServer, McpService, McpTool } = require('@toolwright/core');
const { serveHttp } = require('@toolwright/http');
const { classId, MANIFEST_FORMAT, toolId } = require('@toolwright/manifest');

class Sums {
  add(a, b) {
    return a + b;
  }
  async subtract(a, b) {
    return a - b;
  }
}
for (const name of ['add', 'subtract'])
  McpTool({ description: 'Sums.', annotations: { readOnlyHint: true } })(
    Sums.prototype,
    name,
    Object.getOwnPropertyDescriptor(Sums.prototype, name),
  );
McpService()(Sums);

const number = { type: 'number' };
const entryOf = (method) => ({
  key: toolId({ file: 'src/sums.ts', className: 'Sums', method }),
  class: classId('src/sums.ts', 'Sums'),
  method,
  kinds: ['tool'],
  parameters: ['a', 'b'].map((name) => ({ name, kind: 'argument' })),
  input: 'pair',
  output: 'sum',
  wrap: true,
  stream: false,
  flatten: false,
  revive: {},
  location: { file: 'src/sums.ts', line: 1, column: 1 },
  shape: '',
});
const manifest = {
  format: MANIFEST_FORMAT,
  compiler: 'test',
  package: 'boot-path',
  sourceHash: '',
  schemas: {
    pair: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
    sum: number,
  },
  classes: {
    [classId('src/sums.ts', 'Sums')]: { name: 'Sums', location: { file: 'src/sums.ts', line: 1, column: 1 } },
  },
  entries: ['add', 'subtract'].map(entryOf),
};

async function main() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const server = await createMcpServer({
    name: 'boot',
    version: '1.0.0',
    services: [Sums],
    manifest,
    audit: { file: join(process.argv[2], 'audit.log') },
  });
  const http = await serveHttp(server, { port: 0, signals: false });
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = result
    .filter(({ functions }) => functions.some(({ ranges: [{ count }] }) => count > 0))
    .map(({ url }) =>
      url
        .split('/packages/')[1]
        ?.replace('/dist/', '/src/')
        .replace(/\.js.*$/, '.ts'),
    )
    // The getters of an entry of a package stand for its bundle.
    .filter(
      (file) => file?.includes('/src/') && !/^[a-z]+\/src\/(index|options|ports|transport)\.ts$/.test(file),
    )
    .filter((file) => !file.startsWith('audit/'))
    .sort();
  console.log(JSON.stringify(files));
  await http.close();
  process.exit(0);
}

void main();
