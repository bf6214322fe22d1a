import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ts } from '../generator/tjs-adapter.js';

/** The TypeScript that a project has installed. */
interface OwnTypeScript {
  version: string;
  /** Absolute path of its `package.json`. */
  packageFile: string;
}

/** @returns undefined where the project has none */
export function ownTypeScript(configFile: string): OwnTypeScript | undefined {
  try {
    const packageFile = createRequire(configFile).resolve('typescript/package.json');
    const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
    return { version, packageFile };
  } catch {
    return undefined;
  }
}

/** The version of the TypeScript that reads signatures. This function does not load the compiler. */
export function readingTypeScript(): string {
  const generator = require.resolve('typescript-json-schema/package.json');
  return ownTypeScript(join(dirname(generator), 'tsconfig.json'))!.version;
}

/**
 * Whether two versions read the same source in the same way. Versions that differ only in the patch number
 * do.
 */
export function readsAlike(a: string, b: string): boolean {
  return minor(a) === minor(b);
}

const minor = (version: string) => version.split('.', 2).join('.');

/** TypeScript's diagnostic for an option with an unknown value. */
const UNKNOWN_VALUE = 6046;

/**
 * Lets this compiler read a tsconfig that was written for a newer version. It sets the options that are
 * defaults since TypeScript 6. It replaces an unknown target or library with the newest one that the compiler
 * knows.
 *
 * @param config as the compiler parsed it; its options are changed
 * @param version the TypeScript version that the project uses
 */
export function adoptDefaults(
  config: Pick<ts.ParsedCommandLine, 'options' | 'errors'>,
  version: string | undefined,
  compiler: Pick<
    typeof ts,
    'ScriptTarget' | 'ModuleKind' | 'ModuleResolutionKind' | 'flattenDiagnosticMessageText'
  >,
): void {
  const { options } = config;
  const unknown = config.errors
    .filter(({ code }) => code === UNKNOWN_VALUE)
    .map(({ messageText }) => compiler.flattenDiagnosticMessageText(messageText, '\n'));
  if (names(unknown, 'target')) options.target = compiler.ScriptTarget.ESNext;
  if (names(unknown, 'lib')) options.lib = [...(options.lib ?? []), 'lib.esnext.d.ts'];
  if (names(unknown, 'module')) options.module = compiler.ModuleKind.NodeNext;
  if (version === undefined || Number.parseInt(version) < 6) return;
  options.strict ??= true;
  options.noUncheckedSideEffectImports ??= true;
  options.types ??= [];
  options.esModuleInterop ??= true;
  options.target ??= targetOf(options.module, compiler);
  options.module ??= compiler.ModuleKind.ESNext;
  if (!isNode(options.module, compiler)) options.moduleResolution ??= compiler.ModuleResolutionKind.Bundler;
}

const names = (messages: string[], option: string) => messages.some((text) => text.includes(`'--${option}'`));

/** Undefined if the kind of modules decides it. */
function targetOf(
  module: ts.ModuleKind | undefined,
  compiler: Pick<typeof ts, 'ScriptTarget' | 'ModuleKind'>,
): ts.ScriptTarget | undefined {
  return isNode(module, compiler) ? undefined : compiler.ScriptTarget.ESNext;
}

function isNode(module: ts.ModuleKind | undefined, { ModuleKind }: Pick<typeof ts, 'ModuleKind'>): boolean {
  return module !== undefined && module >= ModuleKind.Node16 && module <= ModuleKind.NodeNext;
}
