import { render, styleFor } from './style.js';

test('our own colours reach the screen, and those in other text are made visible', () => {
  const { bold, red } = styleFor({ colours: true });
  expect(render(bold(`a ${red('\u001b[8mb')}`))).toBe('\u001b[1ma \u001b[31m\\u{1b}[8mb\u001b[39m\u001b[22m');
});

test('without colour support there are no colours', () => {
  expect(render(styleFor({ colours: false }).bold('a'))).toBe('a');
});

test('nobody can guess the marks of a style before it is rendered', () => {
  const [, key] = /\{(\w+):1\}/.exec(styleFor({ colours: true }).bold('a'))!;
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(render(`\u001b{${'0'.repeat(32)}:8}hidden`)).toMatch(/^\\u\{1b\}/);
});
