import { registerService } from './register-service.js';

const service = { name: 'New', from: './new.js' };
const register = (text: string) => registerService(text, service);
const withServices = (services: string, before = '') =>
  `${before}createMcpServer({ name: 'a', ${services} });\n`;

test.each([
  ['one line', 'services: [A, B]', 'services: [A, B, New]'],
  ['an empty list', 'services: []', 'services: [New]'],
  ['a line each', 'services: [\n    A,\n    B,\n  ]', 'services: [\n    A,\n    B,\n    New,\n  ]'],
  ['a line each, no last comma', 'services: [\n\tA\n]', 'services: [\n\tA,\n\tNew\n]'],
  ['constants', 'services: [A] as const', 'services: [A, New] as const'],
])('a class is added to a list of %s', (_case, before, after) => {
  expect(register(withServices(before))).toEqual({
    text: withServices(after, "import { New } from './new.js';\n"),
  });
});

test('a list with a name is added to where it is written', () => {
  const text = "import { A } from './a.js';\n\nconst services = [A];\ncreateMcpServer({ services });\n";
  expect(register(text)).toEqual({
    text: "import { A } from './a.js';\nimport { New } from './new.js';\n\nconst services = [A, New];\ncreateMcpServer({ services });\n",
  });
});

test('what imports the class already imports it once', () => {
  const text = `import { New } from './new.js';\n${withServices('services: [A]')}`;
  expect(register(text)).toEqual({ text: text.replace('[A]', '[A, New]') });
});

test.each<[string, string, unknown]>([
  ['a server that looks for its services', withServices("discover: 'dist'"), 'discovered'],
  ['a server without any', withServices('version'), 'unclear'],
  ['services from elsewhere', withServices('services: load()'), 'unclear'],
  ['two servers', withServices('services: [A]') + withServices('services: [A]'), 'unclear'],
  ['no server', 'createServer({ services: [A] });', undefined],
])('%s is told, and not touched', (_case, text, verdict) => {
  expect(register(text)).toBe(verdict);
});
