import type { ToolChange } from './change.js';
import { markdownReport } from './markdown-report.js';

const lock = 'mcp.lock.json';
const change = (impact: ToolChange['impact'], tool: string, more: Partial<ToolChange> = {}): ToolChange => ({
  impact,
  tool,
  path: '',
  message: 'the tool was removed',
  ...more,
});

test('what breaks whom comes first, then the rest, and what nobody has looked at', () => {
  const report = markdownReport(
    [
      change('compatible', 'new_tool', { message: 'the tool was added' }),
      change('notable', 'find', {
        path: '/description',
        message: 'description changed',
        before: 'Old.',
        after: 'New.',
      }),
      change('breaking', 'find', { path: '/input/properties/limit', message: 'maximum was 50, is 20' }),
      change('breaking', 'drop'),
    ],
    { lock, notLookedAt: ['src/main.ts:7 adds operations at run time'] },
  );
  const places = [
    '**2 changes break callers** of 2 operations.',
    '### Breaks callers (2)',
    '- `find` at `/input/properties/limit`: `maximum was 50, is 20`\n  Breaks callers that send such arguments',
    '- `drop`: `the tool was removed`\n  Breaks everybody who uses it.',
    '### Models read something else (1)',
    '  ```diff\n  - Old.\n  + New.\n  ```',
    '<details><summary>Breaks nobody (1)</summary>',
    '### Not looked at (1)',
  ].map((text) => report.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('no change is one sentence', () => {
  expect(markdownReport([], { lock })).toBe(
    '## The contract of the tools\n\nNo changes since `mcp.lock.json` was written.\n',
  );
});

test('what a server says formats nothing and mentions nobody', () => {
  const evil = '</details> @everyone `x` ``` \n\n# Approved\n![](https://a.example/p.png) \u202e\u200b';
  const report = markdownReport(
    [
      change('breaking', evil, { message: evil }),
      change('notable', 'a', { before: evil, after: `${evil}!` }),
    ],
    { lock, notLookedAt: [evil] },
  );
  expect(report).not.toMatch(/[\u202e\u200b]/);
  // Outside of code, nothing of it is left.
  const outside = report
    .replace(/^( *)(`{3,})diff\n[^]*?\n\1\2$/gm, '')
    .replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
  expect(outside).not.toMatch(/everyone|Approved|https|details/);
  expect(report.match(/^ *`{3,}/gm)!.every((fence) => fence.trim().length > 3)).toBe(true);
});

test('a report fits into a comment, and counts what it leaves out', () => {
  const changes = Array.from({ length: 5_000 }, (_, at) => change('breaking', `tool_${at}`));
  const report = markdownReport([...changes, change('notable', 'last', { message: 'x'.repeat(100_000) })], {
    lock,
    notLookedAt: Array.from({ length: 2_000 }, (_, at) => `place ${at}`),
  });
  expect(report.length).toBeLessThan(65_536);
  expect(report).toContain('**5000 changes break callers** of 5000 operations.');
  expect(report).toMatch(/- … and \d+ more/);
  expect(report).toContain('### Models read something else (1)');
});
