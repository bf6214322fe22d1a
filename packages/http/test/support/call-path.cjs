// Counts the source files that one warm call passes, in a server of built packages, over HTTP on 2026-07-28:
//   node call-path.cjs      prints { hops, add: files, keep: files } as JSON
// `add` is a decorated async tool, `keep` takes a DTO. V8's coverage is read through the source maps of the bundles.
const { Session } = require('node:inspector/promises');
const { existsSync, readFileSync } = require('node:fs');
const { createServer, request } = require('node:http');
const Module = require('node:module');
const { dirname, join, resolve } = require('node:path');
const { fileURLToPath } = require('node:url');
const ts = require('typescript');

process.setSourceMapsEnabled(true);
const packages = join(__dirname, '../../..');
const fixture = join(packages, 'core/test/fixtures/call-path');

/** The fixture is TypeScript, as an application is. */
Module._extensions['.ts'] = (module, file) => {
  const { compilerOptions } = ts.readConfigFile(
    join(packages, '../tsconfig.base.json'),
    ts.sys.readFile,
  ).config;
  const { options } = ts.convertCompilerOptionsFromJson({ ...compilerOptions, module: 'commonjs' }, packages);
  module._compile(
    ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions: options }).outputText,
    file,
  );
};

// A package does not find itself by its name.
const resolveName = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) =>
  name === '@toolwright/core'
    ? join(packages, 'core/dist/bundle.js')
    : resolveName.call(Module, name, ...rest);

const { buildManifest } = require('../../../schema-compiler');
const { createMcpServer } = require('@toolwright/core');
const { mcpHttp } = require('@toolwright/http');
const { NoteTools } = require(join(fixture, 'src/note-tools.ts'));

const nameOf = (path) => /\/packages\/([a-z-]+\/src\/.*\.ts)/.exec(path)?.[1];

/** The first guard records the intent of what `clear` is about to do. */
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
  const { manifest } = await buildManifest({ project: join(fixture, 'tsconfig.json'), cache: false });
  const options = { name: 'path', version: '1.0.0', services: [NoteTools], manifest: () => manifest, audit };
  const server = await createMcpServer(options);
  const http = createServer(mcpHttp(server)).listen(0, '127.0.0.1');
  await new Promise((ready) => http.once('listening', ready));
  const { port } = http.address();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const add = await filesOf(session, () => call(port, 'add', { a: 1, b: 2 }));
  const keep = await filesOf(session, () => call(port, 'keep', { title: 'One', priority: 1 }));
  stack = '';
  await call(port, 'clear', {});
  const frames = stack.split('\n').map(nameOf).filter(Boolean);
  const guard = frames.lastIndexOf('core/src/policies/audit/audit-calls.ts');
  const hops = frames
    .slice(guard + 1)
    .reverse()
    .filter((file) => !/^(ground|json)\/src\/base\//.test(file));
  console.log(JSON.stringify({ hops: [...new Set(hops)], add, keep }));
  process.exit(0);
}

/** The files of which a call that is not the first runs a function. */
async function filesOf(session, act) {
  for (let index = 0; index < 20; index++) await act();
  await session.post('Profiler.takePreciseCoverage');
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = result
    .filter(({ url }) => /\/packages\/[a-z-]+\/dist\//.test(url))
    .flatMap(({ url, functions }) => {
      const sourceOf = sourcesOf(fileURLToPath(url));
      return functions
        .filter(
          ({ functionName, ranges: [{ count, startOffset }] }) =>
            count > 0 && (functionName !== '' || startOffset > 0),
        )
        .map(({ ranges: [{ startOffset }] }) => sourceOf(startOffset));
    });
  return [...new Set(files.filter(Boolean))].sort();
}

/** Finds the source file of a place in a bundle. */
function sourcesOf(file) {
  if (!existsSync(`${file}.map`)) return () => undefined;
  const map = new Module.SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  const text = readFileSync(file, 'utf8');
  return (offset) => {
    const before = text.slice(0, offset).split('\n');
    const { originalSource, generatedLine } = map.findEntry(before.length - 1, before.at(-1).length);
    // The getters of exports belong to the bundle, and have no source.
    return generatedLine === before.length - 1 && nameOf(resolve(dirname(file), originalSource));
  };
}

function call(port, name, args) {
  const params = {
    name,
    arguments: args,
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
    'mcp-name': name,
  };
  return new Promise((done, failed) => {
    const req = request({ host: '127.0.0.1', port, path: '/', method: 'POST', headers }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      res.on('end', () => (text.includes('structuredContent') ? done() : failed(new Error(text))));
    });
    req.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  });
}

void main();
