import { handMadeManifest } from './packages/hand-made-manifest.js';
import { findMethod, problemsOf, serviceModule, temporaryPackages } from './support/booting.js';

const makePackage = temporaryPackages();
const findEntry = { find: ['query'] };

test('all problems of all services are reported together, each with its place', async () => {
  const made = makePackage(
    {
      'dist/a.js': serviceModule('NoEntry', findMethod('')),
      'dist/b.js': serviceModule('Stale', '@McpTool() other() {}'),
      'dist/c.js': serviceModule('Empty', 'nothing() {}'),
      'dist/d.js': serviceModule('Wrong', `@McpTool({ name: 'not valid' }) find(query) {}`),
      'dist/e.js': serviceModule(
        'Poison',
        `@McpTool({ name: 'p', description: 'Fine.\\u200b' }) find(query) {}`,
      ),
      'dist/f.js': serviceModule('Same', `@McpTool({ name: 'p' }) find(query) {}`),
      'dist/g.js': serviceModule('Twice', `@McpTool() @McpTool() find(query) {}`),
      'dist/h.js': serviceModule(
        'Limits',
        `@McpTool({ name: 'h' }) @RateLimit({ points: -1, per: '1s' }) find(query) {}`,
      ),
      'dist/i.js': serviceModule('Uri', `@McpResource({ uri: 'relative' }) find(query) {}`),
      'dist/j.js': serviceModule(
        'Template',
        `@McpResourceTemplate({ uriTemplate: 'page://{id}' }) find(query) {}`,
      ),
    },
    handMadeManifest(
      ...['Stale', 'Wrong', 'Poison', 'Same', 'Twice', 'Limits', 'Uri', 'Template'].map((name) => ({
        file: 'src/x.ts',
        name,
        methods: findEntry,
      })),
    ),
  );
  const services = 'abcdefghij'.split('').map((file) => Object.values(made.load(`dist/${file}.js`))[0]!);
  const problems = await problemsOf({ services });
  expect(
    problems.map(({ code, location }) => [code, /(\w+\.js):\d+:\d+$/.exec(location ?? '')?.[1]]),
  ).toEqual([
    ['TW_MANIFEST_UNMATCHED', 'a.js'],
    ['TW_MANIFEST_STALE', 'b.js'],
    ['TW_SERVICE_EMPTY', 'c.js'],
    ['TW_NAME_INVALID', 'd.js'],
    ['TW_TEXT_HIDDEN', 'e.js'],
    ['TW_DECORATOR_REPEATED', 'g.js'],
    ['TW_OPTION_INVALID', 'h.js'],
    ['TW_URI_INVALID', 'i.js'],
    ['TW_URI_INVALID', 'j.js'],
    ['TW_NAME_DUPLICATE', 'f.js'],
    ['TW_NAME_DUPLICATE', 'g.js'],
  ]);
});

test('a text where options belong is one problem, and what it lacks is none', async () => {
  const methods = ['@McpTool', '@McpResource', '@McpResourceTemplate', '@McpApp'].map((decorator, index) => [
    `Text${index}`,
    `${decorator}('pages') find(query) {}`,
  ]);
  const made = makePackage(
    Object.fromEntries(methods.map(([name, text]) => [`dist/${name}.js`, serviceModule(name!, text!)])),
    handMadeManifest(...methods.map(([name]) => ({ file: 'src/x.ts', name: name!, methods: findEntry }))),
  );
  for (const [name, text] of methods) {
    const problems = await problemsOf({ services: [made.load(`dist/${name}.js`)[name!]!] });
    const messages = problems.map(({ message }) => message);
    expect([text, messages]).toEqual([text, ['The options must be an object, not string.']]);
  }
});

test('a policy on a method that nobody calls is a problem at its place', async () => {
  const made = makePackage(
    {
      'dist/a.js': serviceModule(
        'Notes',
        `@McpTool() find(query) {} @RateLimit({ points: 1, per: '1s' }) later() {}`,
      ),
    },
    handMadeManifest({ file: 'src/x.ts', name: 'Notes', methods: findEntry }),
  );
  const [problem, ...others] = await problemsOf({ services: [made.load('dist/a.js')['Notes']!] });
  expect(others).toEqual([]);
  expect(problem).toMatchObject({
    code: 'TW_POLICY_MISPLACED',
    message:
      'The policy "rateLimit" would do nothing on Notes.later, because this method is no tool, prompt or resource.',
    location: expect.stringMatching(/a\.js:\d+:\d+$/),
  });
});
