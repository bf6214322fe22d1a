import type { ClassEntry } from '../manifest/loaded-manifest.js';
import { IsEmail } from 'class-validator';
import { loadTypes } from './type-table.js';

function entryWith(validation: 'skip' | 'full', name = 'PageDto'): ClassEntry {
  const revive = { input: { page: { kind: 'object', class: 'src/page.ts#PageDto' } } };
  const definition = { name, location: { file: 'src/page.ts', line: 3, column: 1 }, validation };
  const manifest = { classes: { 'src/page.ts#PageDto': definition } };
  return { manifest: { manifest, directory: undefined }, entries: [{ revive }] } as unknown as ClassEntry;
}

describe('a DTO class that no module exports', () => {
  it('ends the call if its constraints would not be checked', async () => {
    const types = await loadTypes(entryWith('full'));
    expect(() => types.dto('src/page.ts#PageDto')).toThrow(
      'src/page.ts:3: the class PageDto validates arguments and cannot be loaded: export it. In a minified bundle, let the bundler keep names',
    );
  });

  it('leaves a plain object if the schema expresses everything', async () => {
    const types = await loadTypes(entryWith('skip'));
    expect(types.dto('src/page.ts#PageDto')).toBeUndefined();
  });
});

test('A class in a bundle, whose module is no file, is found by the name under which class-validator knows it', async () => {
  class BundledDto {
    @IsEmail()
    email!: string;
  }
  const types = await loadTypes(entryWith('full', 'BundledDto'));
  expect(types.dto('src/page.ts#PageDto')).toEqual({ constructor: BundledDto, validation: 'full' });
});
