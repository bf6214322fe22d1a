import { ts } from 'typescript-json-schema';
import type { CoreSymbols } from './core-symbol.js';

/** One of core's decorators at a declaration. */
export interface FoundDecorator {
  /** Core's name of it, whatever the import calls it. */
  name: string;
  node: ts.Decorator;
  arguments: readonly ts.Expression[];
}

/** Core's decorators on a class, method, property or parameter, in source order. */
export function findDecorators(node: ts.Node, core: CoreSymbols): FoundDecorator[] {
  if (!ts.canHaveDecorators(node)) return [];
  const found: FoundDecorator[] = [];
  for (const decorator of ts.getDecorators(node) ?? []) {
    const call = ts.isCallExpression(decorator.expression) ? decorator.expression : undefined;
    const name = core.exportName(call ? call.expression : decorator.expression);
    if (name) found.push({ name, node: decorator, arguments: call?.arguments ?? [] });
  }
  return found;
}
