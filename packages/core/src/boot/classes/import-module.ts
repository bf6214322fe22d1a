import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  ConfigurationError,
  type ConfigurationProblem,
} from '@toolwright/ground/base/errors/configuration-error';

/** The exports of a loaded module, by name. */
export type ModuleExports = Readonly<Record<string, unknown>>;

/** Error codes of `require` for modules that only `import()` can load. */
const importOnly = new Set(['ERR_REQUIRE_ESM', 'ERR_REQUIRE_ASYNC_MODULE']);

/**
 * Loads a module of the application by its absolute path. It tries `require` first, because that finds
 * modules which any loader or test runner has already loaded, and can load most ES modules.
 */
export async function importModule(path: string): Promise<ModuleExports> {
  const loader = moduleLoader();
  if (loader) return loader(path);
  if (path.endsWith('.mjs') || isEsSource(path)) return importEsModule(path).catch(orRequire(path));
  try {
    return requireModule(path);
  } catch (error) {
    if (importOnly.has((error as NodeJS.ErrnoException).code ?? '')) return importEsModule(path);
    throw error;
  }
}

/**
 * The property of `globalThis` in which a test runner leaves its own `import()`. Such a runner has a graph of
 * modules that Node's loaders do not see.
 */
const MODULE_LOADER = Symbol.for('toolwright.moduleLoader');

function moduleLoader(): ((path: string) => Promise<ModuleExports>) | undefined {
  return (globalThis as { [MODULE_LOADER]?: (path: string) => Promise<ModuleExports> })[MODULE_LOADER];
}

/** Whether `requireModule` can load a file. A runner with its own graph of modules would get a second copy. */
export const isRequirable = (path: string): boolean => moduleLoader() === undefined && isCommonJs(path);

/**
 * The source of an ES module. A loader such as tsx can also `require` it, but that gives a second copy of the
 * module.
 */
function isEsSource(path: string): boolean {
  return /\.m?ts$/.test(path) && !isCommonJs(path);
}

/** Jest runs ES modules as CommonJS, and then knows no `import()`. */
function orRequire(path: string): (error: unknown) => ModuleExports {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG') throw error;
    return requireModule(path);
  };
}

/** Loads a module synchronously. It must be requirable. */
export function requireModule(path: string): ModuleExports {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see importModule
  return require(path) as ModuleExports;
}

/**
 * True if Node treats the file as CommonJS, because of its name or the `type` of the nearest `package.json`.
 */
function isCommonJs(path: string): boolean {
  if (/\.c[jt]s$/.test(path)) return true;
  return /\.[jt]s$/.test(path) && nearestPackageType(dirname(path)) !== 'module';
}

function nearestPackageType(directory: string): unknown {
  const file = join(directory, 'package.json');
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { type?: unknown }).type;
  return dirname(directory) === directory ? undefined : nearestPackageType(dirname(directory));
}

/** The exports of a loaded module; undefined if it is not loaded or is an ES module. It runs no code. */
export function loadedModule(path: string): ModuleExports | undefined {
  return (require.cache[path] as { exports?: ModuleExports } | undefined)?.exports;
}

/** How many milliseconds a module may take to load. A module that does not wait for this boot needs less. */
const PATIENCE_MS = 30_000;

/**
 * A module may await `createMcpServer` at its top level, or import one that does. If the server then loads
 * that module, both wait for each other. As soon as nothing else is running, Node.js exits with code 13 and
 * without a message.
 */
function importEsModule(path: string): Promise<ModuleExports> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      process.off('beforeExit', giveUp);
      act();
    };
    const giveUp = () => settle(() => reject(new ConfigurationError([deadlock(path)])));
    // Open connections keep the process running, so the first event never comes. The timer is for that case.
    const timer = setTimeout(giveUp, PATIENCE_MS).unref();
    process.once('beforeExit', giveUp);
    import(pathToFileURL(path).href).then(
      (module) => settle(() => resolve(module as ModuleExports)),
      (error: unknown) => settle(() => reject(error as Error)),
    );
  });
}

function deadlock(path: string): ConfigurationProblem {
  return {
    code: 'TW_MODULE_DEADLOCK',
    message: `The server needs a class of ${path}, but this module cannot be loaded: it awaits the server, or imports a module that does.`,
    fix: 'Move the class into another module, which does not await createMcpServer at its top level.',
  };
}

/** The files that `require` has loaded. A bundle for a platform without files has no such list. */
export function loadedPaths(): string[] {
  return Object.keys((require.cache as typeof require.cache | undefined) ?? {});
}
