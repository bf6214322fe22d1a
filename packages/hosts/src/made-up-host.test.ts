/* eslint-disable @typescript-eslint/no-require-imports -- the table is changed before other modules read it */
import type { HostRow } from './host.js';

/**
 * A host that does not exist. Here it is added to the table as its row would be. What it needed beside the row and its
 * line in docs/hosts.md, which `hosts.test.ts` compares, would have to change other files.
 */
const madeUp: HostRow = {
  id: 'quill',
  title: 'Quill',
  source: 'https://quill.example/mcp',
  file: { darwin: '~/.quill.json', win32: '~\\.quill.json', linux: '~/.quill.json' },
  setUp: ({ name }) => ({
    config: { format: 'json', path: ['servers', name], entry: {}, text: `{ "servers": { "${name}": {} } }` },
  }),
};
(require('./table.js') as { table: HostRow[] }).table.push(madeUp);

// These read the table when they are loaded.
const { findHost } = require('./hosts.js') as typeof import('./hosts.js');
const { createProgram } = require('../../cli/src/run.js') as typeof import('../../cli/src/run.js');
const { editableHosts } =
  require('../../cli/src/install/find-hosts.js') as typeof import('../../cli/src/install/find-hosts.js');
const { landingPage } =
  require('../../http/src/endpoint/landing/landing-page.js') as typeof import('../../http/src/endpoint/landing/landing-page.js');

test('a row in the table is all that the API, the command and the landing page need', () => {
  expect(findHost('quill')!.setUp({ name: 'my notes', command: 'node' }).config!.path).toEqual([
    'servers',
    'my-notes',
  ]);

  const program = createProgram({ err: () => undefined, out: () => undefined } as never, () => undefined);
  const install = program.commands.find((command) => command.name() === 'install')!;
  expect(install.options.find(({ long }) => long === '--host')!.argChoices).toContain('quill');
  expect(editableHosts.map(({ id }) => id)).toContain('quill');

  const info = { name: 'notes', version: '1.0.0' };
  const url = 'https://notes.example.com/mcp';
  expect(landingPage({ info, url, signIn: undefined, icon: undefined }).body).toContain('Quill');
});
