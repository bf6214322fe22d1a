import { watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { createWatchCompiler } from '@toolwright/schema-compiler';
import type { Terminal } from '../terminal/terminal.js';
import { styleFor } from '../terminal/style.js';
import type { ManifestBuild } from './manifest-build.js';

/** Editors save in several steps; what follows within this time belongs to one change. */
const SETTLE_MS = 40;

const ignored = /(^|[\\/])(node_modules|dist|\.[^\\/]+)([\\/]|$)/;
const config = /tsconfig[^\\/]*\.json$/;
const source = /\.[cm]?tsx?$/;

/** Builds now and after every change below the project's folder, until the process is told to stop. */
export async function watchBuild(build: ManifestBuild, terminal: Terminal): Promise<void> {
  const folder = dirname(build.project);
  const changed = new Set<string>();
  let compiler = await createWatchCompiler(build);
  const compile = async () => {
    const files = [...changed];
    changed.clear();
    try {
      if (files.some((file) => config.test(file))) compiler = await createWatchCompiler(build);
      build.finish(compiler.compile(files));
    } catch (error) {
      // A tsconfig that is being edited is broken for a while; the next change may mend it.
      terminal.err(`${styleFor(terminal).red('error:')} ${(error as Error).message}`);
    }
  };
  await compile();
  terminal.out('Watching for changes; press Ctrl+C to stop.');
  let timer: NodeJS.Timeout | undefined;
  // One after the other: a build that is overtaken would write an older manifest over a newer one.
  let running = Promise.resolve();
  const watcher = watch(folder, { recursive: true }, (_event, name) => {
    if (name === null || ignored.test(name) || !(config.test(name) || source.test(name))) return;
    changed.add(join(folder, name));
    clearTimeout(timer);
    timer = setTimeout(() => void (running = running.then(compile)), SETTLE_MS);
  });
  await new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
  });
  clearTimeout(timer);
  watcher.close();
  await running;
}
