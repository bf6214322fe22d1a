import { transformSync } from '@swc/core';
import * as core from '@toolwright/core';
import ts from 'typescript';

export type Compiler = 'tsc' | 'swc';
export type DecoratorMode = 'legacy' | 'standard';

/**
 * As esbuild and tsx do: no types are emitted. `shortened` also gives every class a new, short name, as in a
 * minified bundle.
 */
export function compileWithoutTypes(
  source: string,
  mode: DecoratorMode,
  names: 'kept' | 'shortened' = 'kept',
): Record<string, never> {
  return run(
    transformSync(source, {
      swcrc: false,
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform:
          mode === 'legacy'
            ? { legacyDecorator: true, decoratorMetadata: false }
            : { legacyDecorator: false, decoratorVersion: '2022-03' },
        ...(names === 'shortened' && { minify: { compress: false, mangle: { topLevel: true } } }),
      },
      minify: names === 'shortened',
      module: { type: 'commonjs' },
    }).code,
  );
}

/** Compiles and runs a TypeScript module that imports only core, and returns its exports. */
export function compileModule(
  source: string,
  compiler: Compiler,
  mode: DecoratorMode,
): Record<string, never> {
  return run(compiler === 'tsc' ? withTsc(source, mode) : withSwc(source, mode));
}

function run(code: string): Record<string, never> {
  const module = { exports: {} as Record<string, never> };
  const load = (name: string): unknown => {
    if (name === '@toolwright/core') return core;
    throw new Error(`${name} is not there`);
  };
  new Function('module', 'exports', 'require', code)(module, module.exports, load);
  return module.exports;
}

function withTsc(source: string, mode: DecoratorMode): string {
  const isLegacy = mode === 'legacy';
  return ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      experimentalDecorators: isLegacy,
      emitDecoratorMetadata: isLegacy,
    },
  }).outputText;
}

function withSwc(source: string, mode: DecoratorMode): string {
  const transform =
    mode === 'legacy'
      ? { legacyDecorator: true, decoratorMetadata: true }
      : { legacyDecorator: false, decoratorVersion: '2022-03' as const };
  return transformSync(source, {
    swcrc: false,
    jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true }, transform },
    module: { type: 'commonjs' },
  }).code;
}
