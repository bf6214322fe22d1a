import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './support/temporary-folder.js';

interface Transformer {
  process(source: string, file: string, options: object): { code: string };
  getCacheKey(source: string, file: string, options: object): string;
}

const { createTransformer } = jest.requireActual<{ createTransformer(options: object): Transformer }>(
  './support/shared-transforms.cjs',
);
const options = { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } };
const cacheDirectory = temporaryFolder();
const project = (id: string) => ({ config: { id, cacheDirectory }, configString: id, transformerConfig: {} });
const file = '/source.ts';

/** What is kept on the disk. */
const kept = () =>
  readdirSync(cacheDirectory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('a file is compiled once for all projects, and anew when its text, its path or an option changes', () => {
  const swc = createTransformer(options);
  expect(swc.process('export const a: number = 1;', file, project('one')).code).toContain('a = 1');
  const [first] = kept();
  writeFileSync(first!, `${readFileSync(first!, 'utf8')}// kept`);
  expect(swc.process('export const a: number = 1;', file, project('two')).code).toContain('// kept');
  expect(swc.process('export const a: number = 2;', file, project('one')).code).toContain('a = 2');
  for (const [other, path] of [
    [swc, '/other.ts'],
    [createTransformer({ ...options, minify: true }), file],
  ] as const)
    expect(other.process('export const a: number = 1;', path, project('one')).code).not.toContain('// kept');
  expect(kept()).toHaveLength(4);
});

test('Jest keeps a file that it counts apart from one that it does not', () => {
  const swc = createTransformer(options);
  const keys = [false, true].map((instrument) =>
    swc.getCacheKey('', file, { ...project('one'), instrument }),
  );
  expect(new Set(keys).size).toBe(2);
  expect(swc.getCacheKey('', file, { ...project('two'), instrument: true })).toBe(keys[1]);
});
