import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const folder = join(__dirname, '../dist/web');
const read = (name: string) => readFileSync(join(folder, name));
const assets = readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`);
const sizeOf = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + gzipSync(read(name)).byteLength, 0);

test('the whole page takes less than 1.2 MB, compressed', () => {
  expect(sizeOf(['index.html', ...assets])).toBeLessThan(1_200_000);
});

test('what a browser loads before the first paint takes less than 150 kB, without forms and editors', () => {
  const html = String(read('index.html'));
  const first = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name]) => name!);
  expect(first.length).toBeGreaterThan(1);
  expect(sizeOf(first)).toBeLessThan(150_000);
  expect(first.filter((name) => /code-mirror|schema-form|app-view/.test(name))).toEqual([]);
  expect(assets.filter((name) => /code-mirror|schema-form|app-view/.test(name)).length).toBeGreaterThan(2);
});
