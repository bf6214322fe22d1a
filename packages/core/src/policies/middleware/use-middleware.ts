import type { Middleware } from '../../call/operation/operation.js';
import { definePolicy } from '../define-policy.js';

/**
 * Puts middleware around a tool, prompt or resource, or all of a class, first one outermost; the class's around the method's. It runs
 * after all guards, and sees the validated and revived arguments and the shaped result.
 *
 * @example
 * @McpTool()
 * @UseMiddleware(async (call, next) => { const result = await next(); count(call.operation.name); return result; })
 * async search(query: string) { … }
 */
export const UseMiddleware = definePolicy('useMiddleware', {
  parse: (...middleware: [Middleware, ...Middleware[]]): readonly Middleware[] => middleware,
  combine: (outer, inner) => [...outer, ...inner],
});
