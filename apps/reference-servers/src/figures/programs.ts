import { dirname, join } from 'node:path';

export type Kind = 'memory' | 'filesystem';
export type Side = 'ours' | 'theirs';

/** The folder with the compiled files. */
const built = join(__dirname, '../../dist');
const published = (kind: Kind) =>
  join(dirname(require.resolve(`@modelcontextprotocol/server-${kind}/package.json`)), 'dist');

/** The program to start, after the build. */
export function programOf(kind: Kind, side: Side): string {
  return side === 'ours' ? join(built, kind, 'main.js') : join(published(kind), 'index.js');
}

/** The folder whose lines count: ours with types and doc comments, theirs as it is published, without types. */
export function sourcesOf(kind: Kind, side: Side): string {
  return side === 'ours' ? join(__dirname, '../../src', kind) : published(kind);
}
