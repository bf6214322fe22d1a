import { ts } from 'typescript-json-schema';
import type { KnownPackage, PackageSymbols } from './package-symbols.js';

/** A decorator at a declaration. */
export interface FoundDecorator {
  /** The exporting package's name of it, whatever the import calls it; the written name where that is unknown. */
  name: string;
  /** Undefined for decorators of packages that mean nothing to the compiler. */
  package: KnownPackage | undefined;
  node: ts.Decorator;
  arguments: readonly ts.Expression[];
}

/** Every decorator on a class, method, property or parameter, in source order. */
export function findDecorators(node: ts.Node, symbols: PackageSymbols): FoundDecorator[] {
  if (!ts.canHaveDecorators(node)) return [];
  return (ts.getDecorators(node) ?? []).map((decorator) => {
    const call = ts.isCallExpression(decorator.expression) ? decorator.expression : undefined;
    const callee = call ? call.expression : decorator.expression;
    const found = symbols.exportOf(callee);
    return {
      name: found?.name ?? callee.getText(),
      package: found?.package,
      node: decorator,
      arguments: call?.arguments ?? [],
    };
  });
}

/** Core's decorators among those at a declaration. */
export function findCoreDecorators(node: ts.Node, symbols: PackageSymbols): FoundDecorator[] {
  return findDecorators(node, symbols).filter((decorator) => decorator.package === '@toolwright/core');
}
