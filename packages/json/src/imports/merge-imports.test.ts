import { mergeText } from './merge-text.js';

const line = (names: string, from = '@toolwright/core') => `import { ${names} } from '${from}';\n`;
const body = 'class Pets {\n  @RequireScopes(1)\n  a: ToolContext;\n}\n';
const merge = (base: string, current: string, next: string) =>
  mergeText(...([base, current, next].map((text) => `${text}\n${body}`) as [string, string, string]));

test.each([
  [
    'Tool, ToolContext',
    'RateLimit, Tool, ToolContext',
    'type integer, Tool, ToolContext',
    'type integer, RateLimit, Tool, ToolContext',
  ],
  ['RequireScopes, Tool', 'RateLimit, RequireScopes, Tool', 'Tool', 'RateLimit, RequireScopes, Tool'],
  ['Confirm, Tool', 'Confirm, RateLimit, Tool', 'Tool', 'RateLimit, Tool'],
  ['Tool', 'Tool as T', 'Confirm, Tool', 'Confirm, Tool as T'],
  ['Tool', 'Tool', 'Confirm, Tool', 'Confirm, Tool'],
])('%s, %s and %s are %s', (base, current, next, result) => {
  const merged = merge(line(base), line(current), line(next));
  expect(merged).toEqual({ text: `${line(result)}\n${body}`, hasConflicts: false });
});

test('a statement over several lines is joined, too', () => {
  const long = Array.from({ length: 12 }, (_, index) => `Decorator${index}`);
  const lines = (names: readonly string[]) =>
    `import {\n${names.map((name) => `  ${name},\n`).join('')}} from '@toolwright/core';\n`;
  const merged = merge(lines(long), lines([...long, 'Mine']), lines([...long, 'Theirs']));
  expect(merged.text).toContain("  Mine,\n  Theirs,\n} from '@toolwright/core';\n");
  expect(merged.hasConflicts).toBe(false);
});

test('two statements from one module are lines as any other', () => {
  const two = line('RateLimit') + line('Tool');
  expect(merge(line('Tool'), two, line('Confirm, Tool'))).toEqual({
    text: `${line('RateLimit')}${line('Confirm, Tool')}\n${body}`,
    hasConflicts: false,
  });
});
