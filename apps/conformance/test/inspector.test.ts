import { inspectorCli, newerNode, runReferee } from './support/referees.js';
import { RunningApp, stdioEntry } from './support/running-app.js';

let app: RunningApp;
beforeAll(async () => {
  app = await RunningApp.start();
}, 30_000);
afterAll(() => app.stop());

const inspect = async (target: readonly string[], ...args: string[]) => {
  const { code, output } = await runReferee([inspectorCli, '--cli', ...target, ...args]);
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

test('It runs on a Node of its own', () => {
  expect(newerNode()).toBeTruthy();
});
