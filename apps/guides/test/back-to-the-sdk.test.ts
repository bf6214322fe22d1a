import { callTool } from './support/call-tool.js';
import { GuideApp } from './support/guide-app.js';
import { readPage, tutorialSettings } from './support/read-page.js';

// Compiles both servers, and starts each.
const parts = readPage('recipes/back-to-the-sdk.md');
const filesOf = (start: string) => parts.find(({ heading }) => heading.startsWith(start))!.files;
let app: GuideApp;

beforeAll(() => {
  app = new GuideApp(tutorialSettings());
});

afterAll(() => app.remove());

test('the steps lead to a server of the SDK in which clients see no change', async () => {
  for (const { file, text } of parts[0]!.files) app.write(`src/${file}`, text);
  app.build();
  const before = await app.start();
  const listed = app.run('toolwright', 'list', '--url', before.url, '--json');
  app.write('tools.json', listed.output);
  expect(app.run('toolwright', 'lock', '--url', before.url)).toMatchObject({ status: 0 });
  const found = (await callTool(before.url, ['find_notes', { word: 'Friday' }])).body.result;
  expect(await before.stop()).toBe(0);

  for (const { file, text } of [...filesOf('2.'), ...filesOf('3.')]) app.write(`src/${file}`, text);
  expect(app.run('tsc')).toMatchObject({ status: 0 });
  const now = await app.start();
  const call = (...words: string[]) =>
    app.run('toolwright', 'call', '--url', now.url, 'find_notes', ...words);
  try {
    expect(app.run('toolwright', 'diff', '--url', now.url)).toMatchObject({
      status: 0,
      output: expect.stringContaining('No changes.'),
    });
    const ok = call('--word', 'Friday');
    expect({ status: ok.status, result: JSON.parse(ok.output) }).toEqual({
      status: 0,
      result: found.structuredContent,
    });
    expect(call('--word', 'Sunday')).toMatchObject({
      status: 1,
      output: expect.stringContaining('No note has the word Sunday.'),
    });
    expect(call('--word', 'x').status).toBe(1);
  } finally {
    await now.stop();
  }
});
