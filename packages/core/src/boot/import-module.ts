import { pathToFileURL } from 'node:url';

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
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
    return require(path) as ModuleExports;
  } catch (error) {
    if (importOnly.has((error as NodeJS.ErrnoException).code ?? '')) return importEsModule(path);
    throw error;
  }
}

/** The exports of a module that is loaded already; undefined when it is not, and for ES modules. Runs no code. */
export function loadedModule(path: string): ModuleExports | undefined {
  return (require.cache[path] as { exports?: ModuleExports } | undefined)?.exports;
}

function importEsModule(path: string): Promise<ModuleExports> {
  return import(pathToFileURL(path).href) as Promise<ModuleExports>;
}
