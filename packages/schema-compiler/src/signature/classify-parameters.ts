import { ts } from 'typescript-json-schema';
import { findCoreDecorators, type FoundDecorator } from '../discover/find-decorators.js';
import type { PackageSymbols } from '../discover/package-symbols.js';
import { isLibraryType } from '../types/classify-type.js';

/** One parameter of the signature that is compiled, with everything its schema and its binding depend on. */
export interface SignatureParameter {
  name: string;
  symbol: ts.Symbol;
  declaration: ts.ParameterDeclaration;
  type: ts.Type;
  inject?: 'ToolContext' | 'AbortSignal';
  rest: boolean;
  optional: boolean;
  decorators: FoundDecorator[];
}

/** Types the framework supplies: the one table behind both hiding them from the schema and injecting them. */
const INJECTED: { name: 'ToolContext' | 'AbortSignal'; module: 'core' | 'library' }[] = [
  { name: 'ToolContext', module: 'core' },
  { name: 'AbortSignal', module: 'library' },
];

/** Lists the parameters of a signature; a `this` parameter is no parameter at run time. */
export function classifyParameters(
  signature: ts.Signature,
  checker: ts.TypeChecker,
  core: PackageSymbols,
): SignatureParameter[] {
  return signature.getParameters().flatMap((symbol, index) => {
    const declaration = symbol.valueDeclaration;
    if (!declaration || !ts.isParameter(declaration)) return [];
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    const named = ts.isIdentifier(declaration.name);
    return [
      {
        name: named ? symbol.getName() : `arg${index}`,
        symbol,
        declaration,
        type,
        inject: injectedName(type, declaration, checker, core),
        rest: !!declaration.dotDotDotToken,
        optional: !!declaration.questionToken || !!declaration.initializer,
        decorators: findCoreDecorators(declaration, core),
      },
    ];
  });
}

function injectedName(
  type: ts.Type,
  declaration: ts.ParameterDeclaration,
  checker: ts.TypeChecker,
  core: PackageSymbols,
): SignatureParameter['inject'] {
  const value = checker.getNonNullableType(type);
  for (const { name, module } of INJECTED) {
    if (module === 'core' && coreName(value, declaration, core) === name) return name;
    if (module === 'library' && value.getSymbol()?.getName() === name && isLibraryType(value)) return name;
  }
  return undefined;
}

/** By its declaration; by the import where that leads nowhere. */
function coreName(
  type: ts.Type,
  declaration: ts.ParameterDeclaration,
  core: PackageSymbols,
): string | undefined {
  if (type.flags & ts.TypeFlags.Any) return core.coreAnnotation(declaration.type);
  return type.getSymbol() ? core.coreType(type) : undefined;
}
