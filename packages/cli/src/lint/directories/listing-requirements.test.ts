import { type Directory, type LintedTool, sources } from '../lint-problem.js';
import type { LintedPage } from '../../app/app-snapshot.js';
import { lintDirectories } from './lint-directories.js';
import type { DirectoryListing } from './listing.js';

const listing: DirectoryListing = {
  privacyPolicy: 'https://notes.example/privacy',
  support: 'help@notes.example',
  documentation: 'https://notes.example/docs',
  authentication: 'oauth',
  package: { name: 'notes', version: '1.2.3', mcpName: 'io.github.ann/notes', bin: 'dist/main.js' },
  serverJson: {
    $schema: sources.registrySchema,
    name: 'io.github.ann/notes',
    description: 'Finds and keeps notes',
    version: '1.2.3',
    packages: [{ registryType: 'npm', identifier: 'notes', version: '1.2.3', transport: { type: 'stdio' } }],
  },
};
const page: LintedPage = { uri: 'ui://notes', ui: { csp: {}, domain: 'https://notes.example' } };

const problems = (directory: Directory, changes: Partial<DirectoryListing>, pages: LintedPage[] = []) =>
  lintDirectories({ tools: [], pages, listing: { ...listing, ...changes } }, [directory]);
const messages = (...words: Parameters<typeof problems>) => problems(...words).map(({ message }) => message);
const serverJson = (changes: object) => ({ serverJson: { ...listing.serverJson, ...changes } });

test('a complete listing has no problems', () => {
  for (const directory of ['claude', 'chatgpt', 'registry'] as const)
    expect(problems(directory, {})).toEqual([]);
});

test.each<[Directory, Partial<DirectoryListing>, string]>([
  ['claude', { privacyPolicy: 'http://notes.example' }, 'listing.privacyPolicy must'],
  ['claude', { support: 'ask around' }, 'listing.support must'],
  ['claude', { documentation: 'docs/' }, 'listing.documentation must'],
  ['claude', { authentication: 'token' }, 'never by a fixed token'],
  ['chatgpt', { privacyPolicy: '' }, 'listing.privacyPolicy must'],
  ['chatgpt', { support: 'https://help' }, 'listing.support must'],
  ['registry', serverJson({ name: 'notes' }), 'one slash'],
  ['registry', serverJson({ description: 'a'.repeat(101) }), '1 to 100 characters'],
  ['registry', serverJson({ version: '^1.2.3' }), 'no range'],
  ['registry', serverJson({ title: '' }), 'title in server.json'],
  ['registry', serverJson({ packages: [] }), 'nobody can use the server'],
  ['registry', { serverJson: null }, 'no JSON object'],
  ['registry', serverJson({ remotes: [{ type: 'sse', url: 'http://localhost:3000/mcp' }] }), 'everybody'],
  ['registry', { package: { ...listing.package, private: true } }, 'package.json is private'],
  ['registry', { package: { ...listing.package, version: '1.2.4' } }, 'package.json has 1.2.4'],
])('%s refuses %j', (directory, changes, message) => {
  expect(messages(directory, changes)).toContainEqual(expect.stringContaining(message));
});

test('the name in the registry must stand in the package', () => {
  expect(messages('registry', { package: { ...listing.package, mcpName: undefined } })).toEqual([
    expect.stringContaining('mcpName in package.json must be'),
  ]);
  const other = { ...listing.package, mcpName: 'io.github.ann/other' };
  expect(messages('registry', { package: other })).toEqual([
    expect.stringContaining('is io.github.ann/other'),
  ]);
});

test('a server that is only a remote needs no package', () => {
  const variables = { tenant: { description: 'Your company', isRequired: true } };
  const remotes = [{ type: 'streamable-http', url: 'https://{tenant}.notes.example/mcp', variables }];
  expect(
    messages('registry', { package: { private: true }, ...serverJson({ packages: undefined, remotes }) }),
  ).toEqual([]);
});

test('nobody guesses how callers are known', () => {
  const { authentication: _, ...rest } = listing;
  const silent = (directory: Directory) =>
    lintDirectories({ tools: [], pages: [], listing: rest }, [directory]).map(({ rule }) => rule);
  expect([...silent('claude'), ...silent('chatgpt')]).toEqual([
    'directory-authentication',
    'directory-authentication',
  ]);
});

test('tools that write should know their caller', () => {
  const writer = {
    name: 'delete_note',
    description: 'Delete a note.',
    input: {},
    output: null,
    location: { file: 'a.ts', line: 1, column: 1 },
    planned: {
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      confirms: true,
    },
  } satisfies LintedTool;
  const open: DirectoryListing = { ...listing, authentication: 'none' };
  expect(lintDirectories({ tools: [writer], pages: [], listing: open }, ['chatgpt'])).toEqual([
    expect.objectContaining({ severity: 'warning', message: expect.stringContaining('delete_note') }),
  ]);
});

test('chatgpt wants a policy and a domain of every page', () => {
  expect(messages('chatgpt', {}, [page])).toEqual([]);
  expect(problems('chatgpt', {}, [{ ...page, ui: {} }]).map(({ rule }) => rule)).toEqual([
    'directory-app-csp',
    'directory-app-domain',
  ]);
  const framed = { ...page, ui: { ...page.ui, csp: { frameDomains: ['https://video.example'] } } };
  expect(messages('chatgpt', {}, [framed])).toEqual([expect.stringContaining('longer review')]);
});

test('claude has a form of its own for domains, and needs none', () => {
  const withDomain = (domain: string) => [{ ...page, ui: { domain } }];
  expect(messages('claude', {}, [{ ...page, ui: {} }])).toEqual([]);
  expect(messages('claude', {}, withDomain('a904794854a047f6.claudemcpcontent.com'))).toEqual([]);
  expect(messages('claude', {}, withDomain('notes.example'))).toHaveLength(1);
  // It is the form of ChatGPT, and Claude does not get it.
  expect(messages('claude', {}, withDomain('https://notes.example'))).toEqual([]);
  expect(messages('chatgpt', {}, [{ ...page, ui: { ...page.ui, domain: 'notes.example' } }])).toHaveLength(1);
});

test('what could not be checked fails, but not for the registry, which sees no tools', () => {
  const unbuilt = (directory: Directory) =>
    lintDirectories({ tools: [], pages: [], listing, note: 'Not built.' }, [directory]).map(
      ({ rule }) => rule,
    );
  expect(unbuilt('claude')).toEqual(['directory-unchecked']);
  expect(unbuilt('registry')).toEqual([]);
});
