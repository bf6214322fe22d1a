import { silentLogger } from '@toolwright/core/ports';
import type { ResourceRule } from '../../src/exchange/exchange-rule.js';
import { IssuerClient } from '../../src/exchange/issuer-client.js';

const rule: ResourceRule = {
  by: 'token-exchange',
  issuer: 'https://login.example.com',
  clientId: 'mcp',
  resource: 'https://api.example.com',
  clientAuth: 'post',
  scopes: undefined,
  parameters: {},
  timeoutMs: 1_000,
};
const read = (type: string) =>
  new IssuerClient(rule, silentLogger).read({ access_token: 't', token_type: type });

test.each(['Bearer', 'bearer', 'BEARER'])('a token of the type %s is one for the resource', (type) => {
  expect(read(type).token).toBe('t');
});

test.each(['N_A', 'n_a', 'DPoP', 'mac', ''])('what has the type "%s" is no token for a resource', (type) => {
  expect(() => read(type)).toThrow(/TW_TOKEN_REFUSED|gives no token/);
});
