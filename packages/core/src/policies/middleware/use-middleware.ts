import type { Middleware } from '../../call/operation/operation.js';
import { definePolicy } from '../define-policy.js';

/**
 * Puts middleware around a tool, prompt or resource, or around all operations of a class. The first
 * middleware is the outermost. The middleware of a class runs outside that of its methods. Middleware runs
 * after all guards. It sees the validated and revived arguments, and the shaped result.
 *
 * @example
 * @McpTool()
 * @UseMiddleware(async (call, next) => { const result = await next(); count(call.operation.name); return
 * result; }) async search(query: string) { … }
 */
export const UseMiddleware = definePolicy('useMiddleware', {
  parse: (...middleware: [Middleware, ...Middleware[]]): readonly Middleware[] => middleware,
  combine: (outer, inner) => [...outer, ...inner],
});
