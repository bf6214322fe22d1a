import { watch } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Terminal } from '../terminal/terminal.js';
import type { ManifestBuild } from './manifest-build.js';

/** Editors save in several steps; what follows within this time belongs to one change. */
const SETTLE_MS = 40;

const ignored = /(^|[\\/])(node_modules|dist|\.[^\\/]+)([\\/]|$)/;
const source = /(\.[cm]?tsx?|tsconfig[^\\/]*\.json)$/;

/** Builds now and after every change below the project's folder, until the process is told to stop. */
export async function watchBuild(build: ManifestBuild, terminal: Terminal): Promise<void> {
  const folder = dirname(build.project);
  await build.run();
  terminal.out('Watching for changes; press Ctrl+C to stop.');
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const rebuild = () => {
    // One after the other: a build that is overtaken would write an older manifest over a newer one.
    running = running.then(async () => void (await build.run()));
  };
  const watcher = watch(folder, { recursive: true }, (_event, name) => {
    if (name === null || ignored.test(name) || !source.test(name) || resolve(folder, name) === build.out)
      return;
    clearTimeout(timer);
    timer = setTimeout(rebuild, SETTLE_MS);
  });
  await new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  });
  clearTimeout(timer);
  watcher.close();
  await running;
}
