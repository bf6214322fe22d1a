import { sourceRepository } from './project.js';

const notes = { url: 'https://github.com/ann/notes', source: 'github', owner: 'ann', name: 'notes' };

test.each<[unknown, object | undefined]>([
  ['ann/notes', notes],
  ['github:ann/notes', notes],
  ['https://github.com/ann/notes', notes],
  [{ type: 'git', url: 'git+https://github.com/ann/notes.git' }, notes],
  [{ url: 'git@github.com:ann/notes.git' }, notes],
  [{ url: 'ssh://git@github.com/ann/notes.git' }, notes],
  [
    { url: 'git://github.com/ann/notes.git', directory: './packages/a' },
    { ...notes, subfolder: 'packages/a' },
  ],
  [
    'gitlab:acme/tools/notes',
    { url: 'https://gitlab.com/acme/tools/notes', source: 'gitlab', owner: 'acme/tools', name: 'notes' },
  ],
  ['https://forge.example/ann/notes', undefined],
  [undefined, undefined],
])('%j', (repository, expected) => {
  expect(sourceRepository(repository)).toEqual(expected);
});
