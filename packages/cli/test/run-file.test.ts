import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programs, ProjectFolder } from './support/project-folder.js';
import { runIn } from './support/recording-terminal.js';

const weather = (description = 'Get the weather of a city. Returns degrees.') => `
import { McpService, McpTool } from '@toolwright/core';
import { places } from 'places';

class Station {
  at(city: string): number { return places.indexOf(city); }
}

@McpService()
class Weather {
  constructor(private readonly station: Station) {}

  /**
   * ${description}
   * @param city its name
   */
  @McpTool({ annotations: { readOnlyHint: true } })
  getWeather(/** @minLength 2 */ city: string): { degrees: number; key: string | undefined } {
    return { degrees: this.station.at(city), key: process.env['WEATHER_KEY'] };
  }
}
`;

let folder: ProjectFolder;
beforeEach(() => {
  folder = new ProjectFolder();
  folder.write('weather.ts', weather());
  folder.write(
    'node_modules/places/package.json',
    '{ "name": "places", "main": "index.js", "types": "index.d.ts" }',
  );
  folder.write('node_modules/places/index.js', "exports.places = ['Rome', 'Bern'];");
  folder.write('node_modules/places/index.d.ts', 'export const places: string[];');
});
afterEach(() => folder.remove());

const env = () => ({
  PATH: process.env['PATH'],
  XDG_RUNTIME_DIR: folder.path('.runtime'),
  WEATHER_KEY: 'abc',
});
const run = (...words: string[]) =>
  spawnSync(process.execPath, [programs.toolwright, 'run', ...words], {
    cwd: folder.folder,
    encoding: 'utf8',
    env: env(),
    input: '',
  });

test('a file without a project is served over HTTP with a console, and again after an edit', async () => {
  const words = [programs.toolwright, 'run', 'weather.ts', '--port', '0'];
  const child = spawn(process.execPath, words, { cwd: folder.folder, env: env() });
  try {
    let said = '';
    const says = async (pattern: RegExp) => {
      for (;;) {
        const found = pattern.exec(said);
        if (found) return found;
        const ended = once(child, 'close').then(([code]) => {
          throw new Error(`It ended with ${code}: ${said}`);
        });
        await Promise.race([once(child.stderr, 'data'), ended]);
      }
    };
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    await says(/console: http:\/\/127\.0\.0\.1:\d+/);
    const [, url] = await says(/weather serves MCP on (\S+)/);
    const call = await runIn(folder.folder, 'call', '--url', url!, 'getWeather', '--city', 'Bern');
    expect([call.status, call.stdout && JSON.parse(call.stdout), call.stderr]).toEqual([
      0,
      { degrees: 1, key: 'abc' },
      '',
    ]);
    expect((await runIn(folder.folder, 'call', '--url', url!, 'getWeather', '--city', 'B')).status).toBe(1);
    folder.write('weather.ts', weather('Look at the sky of a city. Returns degrees.'));
    while (!(await runIn(folder.folder, 'list', '--url', url!)).stdout.includes('Look at the sky')) continue;
  } finally {
    child.kill('SIGTERM');
  }
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(folder.read('.toolwright/.gitignore')).toBe('*\n');
});

test('a file is served on standard input and output', async () => {
  const words = [programs.toolwright, 'run', 'weather.ts', '--stdio', '--no-console'];
  const child = spawn(process.execPath, words, {
    cwd: folder.folder,
    env: env(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  for await (const line of createInterface(child.stdout)) {
    expect(JSON.parse(line)).toMatchObject({ id: 1, result: { serverInfo: { name: 'weather' } } });
    child.stdin.end();
  }
});

test('a mistake has its place and ends with 1', () => {
  folder.edit('weather.ts', 'return places', "return places['x'] + places");
  const { status, stdout, stderr } = run('weather.ts', '--no-console');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^weather\.ts:6:\d+: error TS\d+: /);
  folder.write(
    'weather.ts',
    weather().replace('city: string): {', 'city: () => void): {').replace('.at(city)', ".at('')"),
  );
  expect(run('weather.ts', '--no-console')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^weather\.ts:\d+:\d+: error TW_SCHEMA_FUNCTION/),
  });
});

test.each([
  [
    'export const answer = 42;',
    'plain.ts',
    1,
    /^error: plain\.ts has no decorated class\. Put @McpTool\(\) above/,
  ],
  ['', 'plain.js', 2, /^error: plain\.js is no TypeScript\./],
])('%j in %s is refused in one line', (text, name, code, said) => {
  folder.write(name, text);
  const { status, stderr } = run(name, '--no-console');
  expect([status, stderr]).toEqual([code, expect.stringMatching(said)]);
  expect(stderr).toMatch(/^[^\n]+\n$/);
});

test('a file that is not there is refused', () => {
  expect(run('none.ts')).toMatchObject({ status: 2, stderr: 'error: There is no none.ts.\n' });
});
