import { linkNames, pagesOfNames } from '../build/name-links.js';

const reference = [
  'core/index',
  'core/functions/McpTool',
  'core/functions/text',
  'core/functions/createMcpServer',
  'http/hosts/interfaces/Host',
  'http/functions/serveHttp',
  'http/fetch/functions/serveHttp',
  'http/variables/TwoThings',
  'express/variables/TwoThings',
].map((path) => ({ path: `reference/${path}.md`, markdown: '# name' }));
const moved = { path: 'reference/express/variables/serveHttp.md', markdown: '# ~~serveHttp~~' };
const pages = pagesOfNames([moved, ...reference]);
const linked = (markdown: string) => linkNames({ path: 'guide.md', markdown }, pages).markdown;

test.each([
  ['a decorator', '`@McpTool`', '[`@McpTool`](/reference/core/functions/McpTool.md)'],
  [
    'one with options',
    "`@McpTool({ name: 'a' })`",
    "[`@McpTool({ name: 'a' })`](/reference/core/functions/McpTool.md)",
  ],
  ['a function', '`createMcpServer`', '[`createMcpServer`](/reference/core/functions/createMcpServer.md)'],
  [
    'a function that several ways in have',
    '`serveHttp`',
    '[`serveHttp`](/reference/http/functions/serveHttp.md)',
  ],
  ['a function of one word', '`text()`', '[`text()`](/reference/core/functions/text.md)'],
])('%s leads to its page', (_case, code, expected) => {
  expect(linked(`Use ${code} here.`)).toBe(`Use ${expected} here.`);
});

test.each([
  ['a word that may mean something else', 'The field `text`.'],
  ['a header of HTTP', 'The header `Host`.'],
  ['a name that nobody exports', 'A `PageStore`.'],
  ['a name that two packages export', 'A `TwoThings`.'],
  ['what a guide declares itself', '```ts\nclass McpTool {}\n```\n\nThe class `McpTool`.'],
  ['a heading', '## `createMcpServer`'],
  ['the text of a link', 'See [the `createMcpServer` guide](guide.md).'],
  ['a block of code', '```ts\n// `createMcpServer`\n```'],
])('%s is left alone', (_case, markdown) => {
  expect(linked(markdown)).toBe(markdown);
});
