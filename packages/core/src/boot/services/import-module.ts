import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError, type ConfigurationProblem } from '../../base/errors/configuration-error.js';

/** The exports of a loaded module, by name. */
export type ModuleExports = Readonly<Record<string, unknown>>;

/** Codes with which `require` says that only `import()` can load a module. */
const importOnly = new Set(['ERR_REQUIRE_ESM', 'ERR_REQUIRE_ASYNC_MODULE']);

/**
 * Loads a module of the application by its absolute path. `require` goes first: it finds modules that are loaded
 * already, whichever loader or test runner did that, and loads most ES modules too.
 */
export async function importModule(path: string): Promise<ModuleExports> {
  if (path.endsWith('.mjs')) return importEsModule(path);
  try {
    return requireModule(path);
  } catch (error) {
    if (importOnly.has((error as NodeJS.ErrnoException).code ?? '')) return importEsModule(path);
    throw error;
  }
}

/** Loads a module that is no ES module, at once. */
export function requireModule(path: string): ModuleExports {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see importModule
  return require(path) as ModuleExports;
}

/** True where Node takes the file for CommonJS: by its name, or by the `type` of the nearest `package.json`. */
export function isCommonJs(path: string): boolean {
  if (/\.c[jt]s$/.test(path)) return true;
  return /\.[jt]s$/.test(path) && nearestPackageType(dirname(path)) !== 'module';
}

function nearestPackageType(directory: string): unknown {
  const file = join(directory, 'package.json');
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { type?: unknown }).type;
  return dirname(directory) === directory ? undefined : nearestPackageType(dirname(directory));
}

/** The exports of a module that is loaded already; undefined when it is not, and for ES modules. Runs no code. */
export function loadedModule(path: string): ModuleExports | undefined {
  return (require.cache[path] as { exports?: ModuleExports } | undefined)?.exports;
}

/** Milliseconds that a module may take to load; more than any that does not wait for this boot. */
const PATIENCE_MS = 30_000;

/**
 * A module that awaits `createMcpServer` at its top level, or imports one that does, is loaded when the server is made,
 * which waits for the module. Node.js then ends with code 13 and without a word once nothing else goes on.
 */
function importEsModule(path: string): Promise<ModuleExports> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      process.off('beforeExit', giveUp);
      act();
    };
    const giveUp = () => settle(() => reject(new ConfigurationError([deadlock(path)])));
    // Open connections keep a process from ending, and the first event from coming.
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
