import { spawnSync } from 'node:child_process';
import { sampleOf } from '../../../../.ci/test/support/proof.js';
import { programs, ProjectFolder } from '../support/project-folder.js';

/** It prints while it is loaded, as dotenv 17 does, and when it is called. It imports a neighbour and part of a package. */
const weather = (neighbour: string) => `
import { McpService, McpTool, type ToolContext } from '@toolwright/core';
import type { Logger } from '@toolwright/core/ports';
import { degrees } from './${neighbour}';

console.log('loaded');
export let logger: Logger | undefined;

@McpService()
class Weather {
  /** Get the weather of a city. Returns degrees. */
  @McpTool({ annotations: { readOnlyHint: true } })
  getWeather(city: string, ctx: ToolContext): number {
    process.stdout.write('asked ' + typeof ctx);
    return degrees(city);
  }
}
`;

let folder: ProjectFolder;
beforeEach(() => (folder = new ProjectFolder()));
afterEach(() => folder.remove());

const ask = (id: number, method: string, params: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const clientInfo = { name: 'test', version: '1' };
const initialize = ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
const call = ask(1, 'tools/call', { name: 'getWeather', arguments: { city: 'Bern' } });

/** What a host hears that calls the tool. */
function run(file: string) {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [programs.toolwright, 'run', file, '--stdio', '--no-console'],
    {
      cwd: folder.folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], XDG_RUNTIME_DIR: folder.path('.runtime') },
      // Hosts on Windows may begin with a byte order mark.
      input: `\uFEFF${initialize}\n${call}\n`,
    },
  );
  const lines = stdout.split('\n').filter(Boolean);
  return { messages: lines.map((line) => JSON.parse(line)), stderr };
}

const files = [
  ['weather.ts', 'module', 'degrees.ts'],
  ['weather.mts', undefined, 'degrees.ts'],
  ['weather.mts', 'module', 'degrees.mts'],
  ['weather.cts', 'module', 'degrees.cts'],
  ['weather.cts', undefined, 'degrees.ts'],
] as const;

// Of each kind of module, the one whose extension differs from what its folder says.
test.each(
  sampleOf(files, ([file, type]) => /\.[mc]ts$/.test(file) && file.includes('.m') !== (type === 'module')),
)(
  '%s in a folder of the type %s, beside %s, is served, and standard output has only the protocol',
  (file, type, other) => {
    if (type) folder.write('package.json', JSON.stringify({ type }));
    folder.write(other, 'export const degrees = (city: string) => city.length;');
    folder.write(file, weather(other.replace('ts', 'js')));
    const { messages, stderr } = run(file);
    expect(messages).toMatchObject([
      { id: 0, result: { serverInfo: { name: 'weather' } } },
      { id: 1, result: { content: [{ text: '4' }] } },
    ]);
    expect(stderr).toMatch(/^loaded\n[\s\S]*asked object$/);
  },
);

test('a file imports what lies anywhere in its package, TypeScript and plain JavaScript', () => {
  folder.write('package.json', JSON.stringify({ type: 'module' }));
  folder.write('shared/plain.js', 'export const count = (city) => city.length;');
  folder.write(
    'shared/degrees.ts',
    "import { count } from './plain.js';\nexport const degrees = (city: string): number => count(city);",
  );
  folder.write('tools/weather.ts', weather('../shared/degrees.js').replace('./../', '../'));
  const { messages, stderr } = run('tools/weather.ts');
  expect(stderr).not.toContain('error');
  expect(messages).toMatchObject([{ id: 0 }, { id: 1, result: { content: [{ text: '4' }] } }]);
});
