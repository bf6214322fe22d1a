import type { LintedTool } from './lint-problem.js';
import { lintReplacements } from './replacements.js';

const tool = (name: string, planned: Partial<LintedTool['planned']> = {}): LintedTool => ({
  name,
  description: 'Does it.',
  input: { type: 'object' },
  output: null,
  planned: { annotations: {}, confirms: false, ...planned },
});
const old = (name: string, replacedBy: string, more: Partial<LintedTool['planned']> = {}) =>
  tool(name, { isDeprecated: true, replacedBy, ...more });
const said = (...tools: LintedTool[]) =>
  lintReplacements(tools, 'warning').map(
    ({ severity, tool: name, message }) => `${severity} ${name}: ${message}`,
  );

test.each(['search_pages', 'search_pages.v2'])(
  '%s is a replacement: both names of a newest version are',
  (name) => {
    expect(
      said(
        old('find_page', name),
        tool('search_pages', { version: '2' }),
        tool('search_pages', { version: '1', isOutdated: true }),
      ),
    ).toEqual([]);
  },
);

test('a name that no tool has is reported, with the nearest one', () => {
  expect(said(old('find_page', 'serach_pages'), tool('search_pages'))).toEqual([
    'warning find_page: it is replaced by "serach_pages", and no tool has this name. Did you mean "search_pages"?',
  ]);
  expect(lintReplacements([old('find_page', 'search_pages')], 'error')).toMatchObject([
    { severity: 'error' },
  ]);
});

test('a replacement that is deprecated itself is reported, with what it names', () => {
  expect(said(old('find_page', 'look_up'), old('look_up', 'search_pages'), tool('search_pages'))).toEqual([
    'error find_page: it is replaced by "look_up", which is deprecated itself. Name "search_pages".',
  ]);
  expect(said(old('find_page', 'look_up'), { ...tool('look_up'), deprecated: true })).toEqual([
    'error find_page: it is replaced by "look_up", which is deprecated itself. Name one that is not.',
  ]);
});

test('an old version is no replacement, and a version may be replaced by the bare name', () => {
  const [first, second] = [
    old('search_pages', 'search_pages', { version: '1', isOutdated: true }),
    tool('search_pages', { version: '2' }),
  ];
  expect(said(first, second, old('find_page', 'search_pages.v1'))).toEqual([
    'error find_page: it is replaced by "search_pages.v1", which is deprecated itself. Name "search_pages".',
  ]);
});

test('a tool that is replaced by itself is reported', () => {
  expect(said(old('find_page', 'find_page'))).toEqual(['error find_page: it is replaced by itself.']);
  expect(said(old('search_pages', 'search_pages', { version: '2' }))).toEqual([
    'error search_pages.v2: it is replaced by itself.',
  ]);
});

test('a tool that is deprecated without a replacement, and one that is not built, are no problem', () => {
  const { planned: _, ...unbuilt } = tool('get_page');
  expect(said(tool('find_page', { isDeprecated: true }), unbuilt)).toEqual([]);
});
