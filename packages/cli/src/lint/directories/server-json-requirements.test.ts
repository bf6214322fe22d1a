import { sources } from '../lint-problem.js';
import type { DirectoryListing } from './listing.js';
import { findUnmet } from './requirement.js';
import { serverJsonRequirements } from './server-json-requirements.js';

const npm = { registryType: 'npm', identifier: 'notes', version: '1.2.3', transport: { type: 'stdio' } };
const oci = {
  registryType: 'oci',
  identifier: 'ghcr.io/ann/notes:1.2.3',
  transport: { type: 'streamable-http', url: 'http://127.0.0.1:{PORT}/mcp' },
  environmentVariables: [{ name: 'PORT', default: '3000' }],
};
const mcpb = {
  registryType: 'mcpb',
  identifier: 'https://github.com/ann/notes/releases/download/v1.2.3/notes.mcpb',
  fileSha256: 'a'.repeat(64),
  transport: { type: 'stdio' },
};
const remote = {
  type: 'streamable-http',
  url: 'https://{tenant}.notes.example/mcp',
  variables: { tenant: { description: 'Your company' } },
  headers: [{ name: 'Authorization', value: 'Bearer {token}', isSecret: true }],
};
const serverJson = {
  $schema: sources.registrySchema,
  name: 'io.github.ann/notes',
  title: 'Notes',
  description: 'Finds and keeps notes',
  version: '1.2.3',
  websiteUrl: 'https://notes.example',
  repository: { url: 'https://github.com/ann/notes', source: 'github', subfolder: 'packages/notes' },
  icons: [{ src: 'https://notes.example/icon.png' }],
  packages: [npm, oci, mcpb],
  remotes: [remote],
  _meta: { 'io.modelcontextprotocol.registry/publisher-provided': { tool: 'toolwright' } },
};
const own = { name: 'notes', version: '1.2.3', mcpName: 'io.github.ann/notes', bin: 'dist/main.js' };

const judge = (changes: object, listing: Partial<DirectoryListing> = {}) =>
  findUnmet(serverJsonRequirements, ['registry'], {
    package: own,
    serverJson: { ...serverJson, ...changes },
    ...listing,
  });
const inNpm = (changes: object) => ({ packages: [{ ...npm, ...changes }] });
const inOci = (changes: object) => ({ packages: [{ ...oci, ...changes }] });
const inMcpb = (changes: object) => ({ packages: [{ ...mcpb, ...changes }] });
const inRemote = (changes: object) => ({ remotes: [{ ...remote, ...changes }] });
const variable = (input: object) => inNpm({ environmentVariables: [input] });

test('a complete file has no problems', () => {
  expect(judge({})).toEqual([]);
});

test.each<[object, string, keyof typeof sources]>([
  [{ $schema: undefined }, '$schema in server.json is missing', 'registrySchema'],
  [{ name: 'notes/notes' }, 'a name space, one slash', 'registrySchema'],
  [{ name: 'io.github.ann/notes/more' }, 'a name space, one slash', 'registrySchema'],
  [{ name: 'io.github.ann/notes-' }, 'a name space, one slash', 'registrySchema'],
  [{ name: `io.github.ann/${'n'.repeat(200)}` }, 'a name space, one slash', 'registrySchema'],
  [{ description: '' }, '1 to 100 characters', 'registrySchema'],
  [{ title: '   ' }, 'title in server.json', 'registrySchema'],
  [{ version: '1.x' }, 'no range', 'registrySchema'],
  [{ version: 'latest' }, 'no range', 'registrySchema'],
  [{ websiteUrl: 'http://notes.example' }, 'websiteUrl', 'registrySchema'],
  [{ icons: [{ src: 'data:image/png;base64,AA' }] }, 'the icon', 'registrySchema'],
  [{ repository: { url: 'https://github.com/ann', source: 'github' } }, 'repository in', 'registrySchema'],
  [{ repository: { url: 'https://forge.example/a/b', source: 'forge' } }, 'repository in', 'registrySchema'],
  [{ repository: { ...serverJson.repository, subfolder: '../notes' } }, 'the subfolder', 'registrySchema'],
  [{ repository: { ...serverJson.repository, subfolder: '/notes' } }, 'the subfolder', 'registrySchema'],
  [{ packages: [], remotes: [] }, 'nobody can use the server', 'registrySchema'],
  [inNpm({ identifier: undefined }), 'has no identifier', 'registrySchema'],
  [inNpm({ identifier: 'my notes' }), 'without spaces', 'registrySchema'],
  [inNpm({ registryType: undefined }), 'registryType', 'registrySchema'],
  [inNpm({ version: '~1.2.3' }), 'one version, no range', 'registrySchema'],
  [inNpm({ version: undefined }), 'must say its version', 'registrySchema'],
  [inNpm({ transport: undefined }), 'must say its transport', 'registrySchema'],
  [inNpm({ transport: { type: 'http' } }), 'stdio, streamable-http or sse', 'registrySchema'],
  [inNpm({ transport: { type: 'stdio', url: 'http://x' } }), 'it has no url', 'registrySchema'],
  [inNpm({ transport: { type: 'sse' } }), 'name the url', 'registrySchema'],
  [inOci({ environmentVariables: [] }), 'has {PORT} in its url', 'registrySchema'],
  [inNpm({ packageArguments: [{ type: 'named', name: '--port 80' }] }), 'write the flag', 'registrySchema'],
  [inNpm({ runtimeArguments: [{ type: 'positional' }] }), 'neither named nor positional', 'registrySchema'],
  [variable({ value: 'x' }), 'without a name', 'registrySchema'],
  [inRemote({ type: 'stdio' }), 'the type streamable-http or sse', 'registryRemotes'],
  [inRemote({ url: 'http://notes.example/mcp' }), 'https address', 'registryRemotes'],
  [inRemote({ url: 'https://notes.localhost/mcp' }), 'everybody can reach', 'registryRemotes'],
  [inRemote({ variables: {} }), 'has {tenant}', 'registryRemotes'],
  [inNpm({ registryBaseUrl: 'https://npm.acme.example' }), 'must be on', 'registryRequirements'],
  [inMcpb({ identifier: 'https://acme.example/notes.mcpb' }), 'of a release on', 'registryRequirements'],
  [inOci({ identifier: 'ann/notes:1.2.3' }), 'must name its registry', 'registryRequirements'],
  [
    { _meta: { 'io.modelcontextprotocol.registry/publisher-provided': { notes: 'n'.repeat(4096) } } },
    'the registry takes 4096',
    'registryRequirements',
  ],
  [inOci({ identifier: 'ghcr.io/ann/notes' }), 'a tag or a digest', 'registryPackages'],
  [inMcpb({ fileSha256: undefined }), 'fileSha256', 'registryPackages'],
  [inMcpb({ identifier: 'https://github.com/ann/notes/n.zip' }), 'mcp in its address', 'registryPackages'],
  [variable({ name: 'NOTES', isSecret: true, value: 'sk-canary' }), 'looks like a secret', 'registryFormat'],
  [variable({ name: 'API_KEY', isSecret: true, default: 'canary' }), 'like a secret', 'registryFormat'],
  [
    inRemote({ headers: [{ name: 'Authorization', value: 'Bearer canary' }] }),
    'looks like a secret',
    'registryFormat',
  ],
])('%j is refused', (changes, message, source) => {
  const problems = judge(changes);
  expect(problems).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      message: expect.stringContaining(message),
      source: sources[source],
    }),
  );
  expect(JSON.stringify(problems)).not.toContain('canary');
});

test.each<[object, string]>([
  [variable({ name: 'API_KEY' }), 'API_KEY sounds like a secret'],
  [{ _meta: { 'example.com/more': {} } }, 'is not kept'],
  [{ $schema: sources.registrySchema.replace('2025-12-11', '2025-09-29') }, 'those of https://'],
])('%j is a warning', (changes, message) => {
  expect(judge(changes)).toEqual([
    expect.objectContaining({ severity: 'warning', message: expect.stringContaining(message) }),
  ]);
});

test('a package that npx cannot start is refused', () => {
  expect(judge({}, { package: { ...own, bin: undefined } })).toEqual([
    expect.objectContaining({ message: expect.stringContaining('has no bin'), source: sources.npmExec }),
  ]);
});
