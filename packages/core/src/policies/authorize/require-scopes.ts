import { definePolicy } from '../define-policy.js';

/**
 * Only callers whose token has all of these scopes see the operation in lists and may use it. Anonymous
 * callers have no scopes.
 *
 * @example
 * @McpTool()
 * @RequireScopes('pages:write') async createPage(page: CreatePageDto) { … }
 */
export const RequireScopes = definePolicy('requireScopes', {
  parse: (...scopes: [scope: string, ...more: string[]]): readonly string[] => {
    const bad = scopes.find((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
    if (bad !== undefined) throw new RangeError(`"${bad}" is not an OAuth scope (RFC 6749, section 3.3).`);
    return scopes;
  },
});
