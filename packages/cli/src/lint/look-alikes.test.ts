import { lintLookAlikes } from './look-alikes.js';

const tool = (name: string, description: string, properties: object = {}) => ({
  name,
  description,
  input: { type: 'object', properties } as never,
  output: null,
});
const others = [
  tool('list_customers', 'List customers.'),
  tool('send_mail', 'Send a mail to a person.'),
  tool('delete_file', 'Delete a file for good.'),
];

test('two tools that share their words are a pair, with the words that tell them apart', () => {
  const problems = lintLookAlikes([
    tool('search_pages', 'Search pages by title or content.', { query: {} }),
    tool('search_team_pages', 'Search pages of a team by title or content.', { query: {} }),
    ...others,
  ]);
  expect(problems).toEqual([
    {
      rule: 'look-alike',
      severity: 'warning',
      tool: 'search_pages',
      message:
        'A model easily takes it for "search_team_pages". Say in the first sentence of both what tells them apart: in "search_team_pages" "team".',
    },
  ]);
});

test('tools that do something else with the same thing are no pair', () => {
  expect(
    lintLookAlikes([
      tool('get_page', 'Get a page.', { pageId: {} }),
      tool('delete_page', 'Delete a page.', { pageId: {} }),
      ...others,
    ]),
  ).toEqual([]);
});

test('where no word tells two tools apart, the advice says so', () => {
  const [problem] = lintLookAlikes([
    tool('read_page', 'Shows a page.'),
    tool('page_read', 'Shows a page.'),
    ...others,
  ]);
  expect(problem!.message).toContain('No word tells them apart');
});

test('among many tools, which are searched, tools that do something else are a pair, too', () => {
  const many = Array.from({ length: 100 }, (_, at) => tool(`list_kind${at}`, `Kind${at}.`));
  const pairs = lintLookAlikes([
    tool('get_page', 'Get a page.', { pageId: {} }),
    tool('delete_page', 'Delete a page.', { pageId: {} }),
    ...many,
  ]);
  expect(pairs.map((pair) => [pair.tool, pair.message])).toContainEqual([
    'get_page',
    expect.stringContaining('"delete_page"'),
  ]);
});
