import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectorCli, runReferee, suite } from './support/referees.js';
import { RunningApp, stdioEntry } from './support/running-app.js';

let app: RunningApp;
beforeAll(async () => {
  app = await RunningApp.start();
});
afterAll(() => app.stop());

const inspect = async (target: readonly string[], ...args: string[]) => {
  const { code, output } = await runReferee([inspectorCli, '--cli', ...target, ...args], {
    node: process.execPath,
  });
  if (code !== 0) throw new Error(output);
  return JSON.parse(output.slice(output.indexOf('{')));
};

describe.each([
  ['HTTP', () => [app.url, '--transport', 'http']],
  ['stdio', () => [process.execPath, stdioEntry]],
])('The official inspector over %s', (_transport, target) => {
  test('lists tools', async () => {
    const { tools } = await inspect(target(), '--method', 'tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).toContain('echo');
  });

  test('calls a tool', async () => {
    const result = await inspect(
      target(),
      '--method',
      'tools/call',
      '--tool-name',
      'echo',
      '--tool-arg',
      'text=hello',
    );
    expect(result.content[0].text).toBe('hello');
  });

  test('reads a resource and gets a prompt', async () => {
    const read = await inspect(target(), '--method', 'resources/read', '--uri', 'test://static-text');
    expect(read.contents[0].mimeType).toBe('text/plain');
    const prompt = await inspect(target(), '--method', 'prompts/get', '--prompt-name', 'test_simple_prompt');
    expect(prompt.messages).toHaveLength(1);
  });
});

/** It asks npm for a newer Node.js than ours, but it works on ours. The tests above show this for the version that is named. */
test.each(['README.md', 'docs/cli.md', 'packages/cli/src/dev/greet.ts'])(
  'the inspector that %s names is the one that these tests run',
  (file) => {
    const text = readFileSync(join(__dirname, '../../..', file), 'utf8');
    const { dependencies } = JSON.parse(readFileSync(join(suite, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const named = [...text.matchAll(/(@modelcontextprotocol\/inspector)@?([\w.-]*)/g)];
    expect(named.length).toBeGreaterThan(0);
    for (const [, name, version] of named) expect(version).toBe(dependencies[name!]);
  },
);
