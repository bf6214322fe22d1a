import type { OperationKind } from '../../base/operation-kinds.js';
import type { Middleware, OfKind } from '../../call/operation/operation.js';
import type { ClassOrMethodDecorator } from '../../decorators/recording.js';
import { definePolicy, type Policy } from '../define-policy.js';

/** `UseMiddleware`. A decorator cannot see what it decorates, so its type parameter says the kind. */
export interface UseMiddlewarePolicy extends Pick<
  Policy<[Middleware, ...Middleware[]], readonly Middleware[]>,
  'policyName' | 'of' | 'entry'
> {
  <K extends OperationKind = OperationKind>(
    ...middleware: [Middleware<OfKind<K>>, ...Middleware<OfKind<K>>[]]
  ): ClassOrMethodDecorator;
}

/**
 * Puts middleware around a tool, prompt or resource, or around all operations of a class. The first
 * middleware is the outermost. The middleware of a class runs outside that of its methods. Middleware runs
 * after all guards. It sees the validated and revived arguments, and the shaped result.
 *
 * @example
 * @McpTool()
 * @UseMiddleware<'tool'>(async (call, next) => { const result = await next(); count(result.content.length);
 * return result; }) async search(query: string) { … }
 */
export const UseMiddleware: UseMiddlewarePolicy = definePolicy('useMiddleware', {
  parse: (...middleware: [Middleware, ...Middleware[]]): readonly Middleware[] => middleware,
  combine: (outer, inner) => [...outer, ...inner],
});
