import { ts } from 'typescript-json-schema';
import type { KnownPackage, PackageSymbols } from './package-symbols.js';

/** A decorator at a declaration. */
export interface FoundDecorator {
  /**
   * The name that the package exports, whatever the import calls it. If the export is unknown, the name in
   * the source.
   */
  name: string;
  /** Undefined for decorators of packages that the compiler does not know. */
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
