import { registerService } from './register-service.js';

const service = { name: 'New', from: './new.js' };
const register = (text: string) => registerService(text, service);
const withServices = (services: string, before = '') =>
  `${before}createMcpServer({ name: 'a', ${services} });\n`;

test.each([
  ['a list on one line', 'services: [A, B]', 'services: [A, B, New]'],
  ['an empty list', 'services: []', 'services: [New]'],
  [
    'a list with one item per line',
    'services: [\n    A,\n    B,\n  ]',
    'services: [\n    A,\n    B,\n    New,\n  ]',
  ],
  ['a list with one item per line and no last comma', 'services: [\n\tA\n]', 'services: [\n\tA,\n\tNew\n]'],
  ['a constant list', 'services: [A] as const', 'services: [A, New] as const'],
])('a class is added to %s', (_case, before, after) => {
  expect(register(withServices(before))).toEqual({
    text: withServices(after, "import { New } from './new.js';\n"),
  });
});

test('a class is added where a named list is defined', () => {
  const text = "import { A } from './a.js';\n\nconst services = [A];\ncreateMcpServer({ services });\n";
  expect(register(text)).toEqual({
    text: "import { A } from './a.js';\nimport { New } from './new.js';\n\nconst services = [A, New];\ncreateMcpServer({ services });\n",
  });
});

test('a file that already imports the class imports it once', () => {
  const text = `import { New } from './new.js';\n${withServices('services: [A]')}`;
  expect(register(text)).toEqual({ text: text.replace('[A]', '[A, New]') });
});

test.each<[string, string, unknown]>([
  ['a server that finds its services itself', withServices("discover: 'dist'"), 'discovered'],
  ['a server without services', withServices('version'), 'unclear'],
  ['services from elsewhere', withServices('services: load()'), 'unclear'],
  ['two servers', withServices('services: [A]') + withServices('services: [A]'), 'unclear'],
  ['no server', 'createServer({ services: [A] });', undefined],
])('%s is reported, and the file is not changed', (_case, text, verdict) => {
  expect(register(text)).toBe(verdict);
});
