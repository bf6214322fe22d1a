import { createRequire } from 'node:module';
import type ts from 'typescript';

/** A compiler, and where it comes from, for messages. */
export interface LoadedTypeScript {
  compiler: typeof ts;
  /** The project's TypeScript version, if `compiler` is used instead of it. */
  standsInFor?: string;
  choice: string;
}

/**
 * The TypeScript that the project compiles with, so that `dev` reports what its build reports. If the project
 * has none, or one without this interface (the native compiler), that of the schema compiler.
 */
export function loadTypeScript(project: string): LoadedTypeScript {
  const own = tryLoad(createRequire(project), 'typescript');
  const compiler = bundled();
  if (own?.createEmitAndSemanticDiagnosticsBuilderProgram)
    return {
      compiler: own as typeof ts,
      choice: `Types are checked by the project's TypeScript ${own.version}, signatures read by ${compiler.version}.`,
    };
  const why = own
    ? `the project's TypeScript ${own.version} has no interface for programs`
    : 'the project has none installed';
  return {
    compiler,
    ...(own?.version !== undefined && { standsInFor: own.version }),
    choice: `Types are checked by Toolwright's TypeScript ${compiler.version}: ${why}.`,
  };
}

function bundled(): typeof ts {
  const fromCompiler = createRequire(require.resolve('@toolwright/schema-compiler'));
  return (fromCompiler('typescript-json-schema') as { ts: typeof ts }).ts;
}

function tryLoad(load: NodeJS.Require, name: string): Partial<typeof ts> | undefined {
  try {
    return load(name) as Partial<typeof ts>;
  } catch {
    return undefined;
  }
}
