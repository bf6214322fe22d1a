import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The part of pnpm's lockfile that says what a package needs. */
interface Lockfile {
  importers: Record<string, Needs>;
  snapshots: Record<string, Needs | null>;
}

interface Needs {
  dependencies?: Record<string, string | { version: string }>;
  optionalDependencies?: Record<string, string | { version: string }>;
}

const lockfile = parse(readFileSync(join(__dirname, '../../pnpm-lock.yaml'), 'utf8')) as Lockfile;

/** Everything that `npm install` of these packages brings, by name and version; optional packages count. */
function installed(...folders: string[]): Set<string> {
  const found = new Set<string>();
  const queue = folders.map((folder) => `packages/${folder}`);
  for (const at of queue) {
    if (found.has(at)) continue;
    found.add(at);
    const needs = lockfile.importers[at] ?? lockfile.snapshots[at];
    if (needs === undefined) throw new Error(`The lockfile does not know ${at}.`);
    for (const [name, entry] of Object.entries({ ...needs?.dependencies, ...needs?.optionalDependencies })) {
      const version = typeof entry === 'string' ? entry : entry.version;
      // A package of ours is a link, relative to the folder that needs it.
      const own = version.startsWith('link:') ? join(at, version.slice('link:'.length)) : undefined;
      queue.push(
        own ?? (version.includes('@', 1) && !version.includes('(') ? version : `${name}@${version}`),
      );
    }
  }
  return found;
}

const servers = ['http', 'core'];

test('a production install of http and core has at most 20 packages', () => {
  const all = [...installed(...servers)].sort();
  expect(all).toEqual(expect.arrayContaining(['packages/core', 'packages/http', 'packages/manifest']));
  expect(all.length).toBeLessThanOrEqual(20);
});

test.each([
  ...servers,
  'stdio',
  'express',
  'fastify',
  'nest',
  'audit',
  'chat',
  'safe',
  'identity',
  'openapi',
  'tables',
  'mount',
  'redis',
  'postgres',
  'queue',
  'tasks',
  'schedules',
  'search',
  'code',
  'skills',
  'replay',
  'views',
  'operate',
])('a production install of %s brings no TypeScript', (folder) => {
  const names = [...installed(folder)].map((each) => each.replace(/(?<=.)@.*$/, ''));
  expect(names.filter((name) => /^(?:typescript|ts-|@swc\/|esbuild|.*schema-compiler)/.test(name))).toEqual(
    [],
  );
});

test('the count sees what is there: the compiler needs TypeScript', () => {
  expect([...installed('schema-compiler')].some((each) => each.startsWith('typescript@'))).toBe(true);
});
