import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
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

/** The sources of the page with an ending, and the pane of each; `undefined` is what all panes share. */
function sourcesOf(ending: string): { pane: string | undefined; text: string }[] {
  const web = join(__dirname, '../web/src');
  return (readdirSync(web, { recursive: true }) as string[])
    .filter((name) => name.endsWith(ending))
    .map((name) => ({
      pane: /^panes.([^/]+)/.exec(name.replaceAll(sep, '/'))?.[1],
      text: readFileSync(join(web, name), 'utf8'),
    }));
}

// The style of a pane is loaded with it, and stays when another pane is open.
test('a pane looks the same, whatever panes were open before: it has its classes for itself', () => {
  const owners = new Map<string, Set<string | undefined>>();
  for (const { pane, text } of sourcesOf('.css'))
    for (const [, name] of text.matchAll(/^\.([a-z-]+)/gm))
      owners.set(name!, (owners.get(name!) ?? new Set()).add(pane));
  const shared = [...owners].filter(([, panes]) => panes.size > 1);
  const borrowed = sourcesOf('.tsx').flatMap(({ pane, text }) =>
    [...text.matchAll(/(?:className|look)="([^"]+)"/g)]
      .flatMap(([, names]) => names!.split(' '))
      .filter((name) => owners.has(name) && !owners.get(name)!.has(pane) && !owners.get(name)!.has(undefined))
      .map((name) => `${name} in ${pane}`),
  );
  expect({ shared, borrowed }).toEqual({ shared: [], borrowed: [] });
});
