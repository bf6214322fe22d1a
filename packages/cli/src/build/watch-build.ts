import { once } from 'node:events';
import { dirname, relative } from 'node:path';
import { createWatchCompiler, type WatchCompiler } from '@toolwright/schema-compiler';
import { watch, type FSWatcher } from 'chokidar';
import type { Terminal } from '../terminal/terminal.js';
import { styleFor } from '../terminal/style.js';
import type { ManifestBuild } from './manifest-build.js';

/** Editors save in several steps. Everything within this time belongs to one change. */
const SETTLE_MS = 40;

const ignoredFolder = /(^|[\\/])(node_modules|dist|\.[^\\/]+)([\\/]|$)/;
const config = /tsconfig[^\\/]*\.json$/;
const source = /\.[cm]?tsx?$/;

/** Builds now and after every change in the project's folder, until the process gets a signal to stop. */
export async function watchBuild(build: ManifestBuild, terminal: Terminal): Promise<void> {
  const stopped = signalled();
  const folder = dirname(build.project);
  const watcher = watch(folder, {
    ignored: (path) => ignoredFolder.test(relative(folder, path)),
    ignoreInitial: true,
  });
  try {
    // The watcher starts before the first build reads a file, so that no change is missed.
    await once(watcher, 'ready');
    await buildOnChange({ build, terminal, watcher, stopped });
  } finally {
    await watcher.close();
  }
}

interface Watched {
  build: ManifestBuild;
  terminal: Terminal;
  watcher: FSWatcher;
  stopped: Promise<void>;
}

async function buildOnChange({ build, terminal, watcher, stopped }: Watched): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const changed = new Set<string>();
  watcher.on('all', (_event, path) => {
    if (!config.test(path) && !source.test(path)) return;
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => void (running = running.then(compile)), SETTLE_MS);
  });
  const compile = async () => {
    const files = [...changed];
    changed.clear();
    try {
      if (files.some((file) => config.test(file))) compiler = await createWatchCompiler(build);
      await build.finish(compiler.compile(files));
    } catch (error) {
      // While somebody edits a tsconfig, it may be broken for a moment. The next change may fix it.
      terminal.err(`${styleFor(terminal).red('error:')} ${(error as Error).message}`);
    }
  };
  let compiler: WatchCompiler;
  // Builds run one after the other. Otherwise a slow build could replace the manifest of a newer one.
  let running = createWatchCompiler(build).then((created) => {
    compiler = created;
    return compile();
  });
  await running;
  terminal.out('Watching for changes; press Ctrl+C to stop.');
  await stopped;
  clearTimeout(timer);
  await running;
}

function signalled(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
  });
}
