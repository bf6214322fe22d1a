/** What the build says of some of `filesThatFail`: the place, the cause, and what to do. */
export const saidByBuild: [mistake: string, place: RegExp, cause: RegExp, fix: RegExp][] = [
  [
    'the parameters of another framework',
    /src\/parameters\.ts:\d+:\d+: TW_OPTION_INVALID/,
    /There is no option "parameters"/,
    /Did you mean 'inputSchema'\?/,
  ],
  [
    'scopes in a list',
    /src\/scopeList\.ts:\d+:\d+: TW_POLICY_INVALID/,
    /requireScopes of GetScopeList\.list: it got a list/,
    /Write @RequireScopes\('notes:read', 'notes:write'\)/,
  ],
  [
    'points without a period',
    /src\/points\.ts:\d+:\d+: TW_OPTION_INVALID/,
    /The options must be an object, not number/,
    /Write \{ points: 100, per: … \}/,
  ],
  [
    'a private method as a tool',
    /src\/unoffered\.ts:5:3: TW_SCHEMA_PLACE/,
    /close is private, and every client may call an operation/,
    /Make the method public, or remove the decorator/,
  ],
];
