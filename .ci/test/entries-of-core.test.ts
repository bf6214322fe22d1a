import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { publishedPackages } from './support/packages.js';

const packages = join(__dirname, '../../packages');

/** What a program finds when it imports `@toolwright/core`: values and types, as the compiler counts them. */
function exportsOf(file: string): string[] {
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
  return checker.getExportsOfModule(module).map(({ name }) => name);
}

test('the main entry of core has at most 120 names', () => {
  const names = exportsOf(join(packages, 'core/dist/index.d.ts'));
  expect(names.length).toBeGreaterThan(20);
  expect(names.length).toBeLessThanOrEqual(120);
});

test('the public face of core is at most 4,500 lines', () => {
  const lines = readFileSync(join(packages, 'core/api.md'), 'utf8').trimEnd().split('\n').length;
  expect(lines).toBeGreaterThan(500);
  expect(lines).toBeLessThanOrEqual(4_500);
});

/** The bundles of a package. Some packages are programs that are not built. */
function bundlesOf(name: string): string[] {
  const dist = join(packages, name, 'dist');
  const files = existsSync(dist) ? readdirSync(dist) : [];
  return files.filter((file) => file.endsWith('bundle.js')).map((file) => join(dist, file));
}

const bundled = [...publishedPackages.keys()].filter((name) => bundlesOf(name).length > 1);

test('code, core, http, mount, openapi, postgres, replay, search and tables have several entries', () =>
  expect(bundled.join(' ')).toBe('code core http mount openapi postgres replay search tables'));

// Two copies of a module are two classes of one name, and two tables where one is meant.
test.each(bundled)('no module of %s is in two of its bundles', (name) => {
  // An entry that only hands on what another file has has no map.
  const maps = bundlesOf(name)
    .filter((file) => readFileSync(file, 'utf8').includes('//# sourceMappingURL='))
    .map((file) => `${file}.map`);
  const sources = maps.flatMap(
    (map) => (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources,
  );
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.filter((source, index) => sources.indexOf(source) !== index)).toEqual([]);
});

test('the entries of core share their classes and their state', () => {
  const script = `
    const { ConfigurationError, createMcpServer, McpTool } = require('@toolwright/core');
    const { extend, offersOperations } = require('@toolwright/core/extend');
    const { serveTasks } = require('@toolwright/core/operate');
    const { parseOptions } = require('@toolwright/core/options');
    const { stderrLogger } = require('@toolwright/core/ports');

    class Offered { run() {} }
    McpTool()(Offered.prototype, 'run', Object.getOwnPropertyDescriptor(Offered.prototype, 'run'));
    const refused = (promise) => promise.then(() => false, (error) => error instanceof ConfigurationError);

    (async () => {
      const server = await createMcpServer({ name: 'shared', version: '1.0.0', audit: false, logger: stderrLogger() });
      let started = 0;
      const added = { name: 'counted', start: () => ({ started: ++started }) };
      const [first, again] = [await extend(server, added), await extend(server, added)];
      console.log(JSON.stringify({
        offered: offersOperations(Offered),
        extended: first === again && started === 1,
        refusedTasks: await refused(serveTasks(server)),
        refusedOptions: await refused((async () => parseOptions('mine', {}, { none: 1 }))()),
      }));
      await server.close();
    })();`;
  const printed = execFileSync(process.execPath, ['-e', script], {
    cwd: join(packages, 'http'),
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(JSON.parse(printed)).toEqual({
    offered: true,
    extended: true,
    refusedTasks: true,
    refusedOptions: true,
  });
});
