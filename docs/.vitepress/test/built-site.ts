import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { size } from '../../../.ci/test/support/proof.js';
import { searchSettings } from '../theme/search-settings.js';

const script = join(__dirname, '../site.mjs');

/** The site, or in `pnpm check:all` a sample of its pages, built into a folder of its own and served on loopback by the commands that people use. */
export interface BuiltSite {
  folder: string;
  url: string;
  remove(): Promise<void>;
}

export async function buildSite(): Promise<BuiltSite> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-site-'));
  const env = { ...process.env, ...(size === 1 && { SITE_SAMPLE: '1' }) };
  execFileSync(process.execPath, [script, 'build', folder], { stdio: 'pipe', env });
  const server = spawn(process.execPath, [script, 'serve', folder], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(server.stdout!), 'line')) as [string];
  return {
    folder,
    url: line.replace('site listening on ', ''),
    remove: async () => {
      server.kill();
      await once(server, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

/** The search of the built site, with the settings that browsers get. */
export interface BuiltSearch {
  /** What a browser loads before the first search. */
  compressedBytes: number;
  /** The pages that answer, best first, with their anchors. */
  find(question: string): string[];
}

export function readSearch(folder: string): BuiltSearch {
  const chunks = join(folder, 'assets/chunks');
  const name = readdirSync(chunks).find((file) => file.startsWith('@localSearchIndex'))!;
  const chunk = readFileSync(join(chunks, name), 'utf8');
  // The chunk is one text in quotes, and its export.
  const json = new Function(`return ${/^\w+ \w+=([^]*);export\{/.exec(chunk)![1]}`)() as string;
  const MiniSearch = miniSearch();
  const index = MiniSearch.loadJSON(json, {
    storeFields: ['title', 'titles'],
    searchOptions: searchSettings.searchOptions,
    ...searchSettings.options,
  });
  return {
    compressedBytes: gzipSync(chunk, { level: 9 }).length,
    find: (question) => index.search(question).map(({ id }) => id.slice(1)),
  };
}

/** The generator's own copy. */
function miniSearch() {
  const ofTheSite = createRequire(__filename);
  return createRequire(ofTheSite.resolve('vitepress/package.json'))('minisearch') as {
    loadJSON(json: string, options: object): { search(text: string): { id: string }[] };
  };
}
