import { GuideApp } from './support/guide-app.js';
import { readPage, tutorialSettings } from './support/read-page.js';

// Compiles the app, and starts a database.
const [page] = readPage('recipes/databases.md');
let app: GuideApp;

beforeAll(() => {
  app = new GuideApp(tutorialSettings());
  for (const { file, text } of page!.files) app.write(`src/${file}`, text);
  app.build();
});

afterAll(() => app.remove());

test('the recipe adds notes to a database and finds them, newest first, with wildcards taken as they are', async () => {
  const server = await app.start();
  const call = (name: string, ...words: string[]) =>
    JSON.parse(app.run('toolwright', 'call', '--url', server.url, name, ...words).output) as object;
  try {
    call('add_note', '--text', 'Friday is cake day.');
    expect(call('add_note', '--text', 'On friday, 100 % of us eat cake.')).toMatchObject({ id: 2 });
    expect(call('find_notes', '--words', 'friday')).toMatchObject({ notes: [{ id: 2 }, { id: 1 }] });
    expect(call('find_notes', '--words', '100 %')).toMatchObject({ notes: [{ id: 2 }] });
    expect(call('find_notes', '--words', '%%')).toEqual({ notes: [] });
  } finally {
    expect(await server.stop()).toBe(0);
  }
});
