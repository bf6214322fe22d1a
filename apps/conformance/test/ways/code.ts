import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guards } from '../../../../packages/core/src/policies/guards.js';
import { servedRevisions } from '../../../../packages/wire/src/revisions.js';
import { eras } from './wire.js';

// What the code has, found in the code itself. The table is compared with it.

const packages = join(__dirname, '../../../../packages');

/** The guards of core, and those that packages add, by their names. */
export const guardsOfCode: readonly string[] = [
  ...guards.map(({ name }) => name),
  ...sourcesOf(packages).flatMap((source) =>
    [...source.matchAll(/name: '([^']+)',\s+position: [A-Z_]+,/g)].map(([, name]) => name!),
  ),
];

/** The methods of the newest revision of each era. */
export const methodsOfCode: readonly string[] = [
  ...new Set(
    servedRevisions.flatMap(({ version, methods }) => (eras.includes(version as never) ? methods : [])),
  ),
];

/** What one can listen to on a server. */
export const eventsOfCode: readonly string[] = [
  ...readFileSync(join(packages, 'core/src/server.ts'), 'utf8').matchAll(/ {2}on\(event: '(\w+)'/g),
].map(([, name]) => `on ${name}`);

/** Methods that reach no operation, each with what it is about. */
export const otherMethods: Readonly<Record<string, string>> = {
  ping: 'the session',
  'logging/setLevel': 'the session',
  'server/discover': 'the server',
};

/** Guards and events that no row of the table is about, each with what it is about. */
export const otherJudges: Readonly<Record<string, string>> = {
  'on sessionEnd': 'sessions, which no call ends',
};

/** What judges or watches calls beside guards and events. */
export const watchers: readonly string[] = [
  'log',
  'spans',
  'metrics',
  'usage',
  'operator',
  'drain',
  'context',
  'middleware',
];

/** The texts of all sources below a folder, without tests and without core, whose guards are asked themselves. */
function sourcesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name !== 'core' && readdirSync(join(folder, name)).includes('src'))
    .flatMap((name) =>
      readdirSync(join(folder, name, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
        .map((path) => readFileSync(join(folder, name, 'src', path), 'utf8')),
    );
}
