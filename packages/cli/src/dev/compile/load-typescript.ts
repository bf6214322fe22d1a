import { createRequire } from 'node:module';
import type ts from 'typescript';

/**
 * The TypeScript that the project compiles with, so that `dev` finds what its build finds. Where it has none, or one
 * without this interface (as the native compiler), the schema compiler's.
 */
export function loadTypeScript(project: string): typeof ts {
  return tryLoad(createRequire(project), 'typescript') ?? bundled();
}

function bundled(): typeof ts {
  const fromCompiler = createRequire(require.resolve('@toolwright/schema-compiler'));
  return (fromCompiler('typescript-json-schema') as { ts: typeof ts }).ts;
}

function tryLoad(load: NodeJS.Require, name: string): typeof ts | undefined {
  try {
    const found = load(name) as Partial<typeof ts>;
    return found.createEmitAndSemanticDiagnosticsBuilderProgram ? (found as typeof ts) : undefined;
  } catch {
    return undefined;
  }
}
