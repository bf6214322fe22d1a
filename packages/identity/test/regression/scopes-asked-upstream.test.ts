import { readProxyOptions } from '../../src/proxy/proxy-options.js';

// A proxy whose "upstream" named no scopes failed at each sign-in: the defaults of the group were not filled in.
test('the proxy asks its issuer for the usual scopes when the options name none', () => {
  const options = {
    issuer: 'https://mcp.example.com',
    resources: { 'https://mcp.example.com/mcp': ['read'] },
    scopesOf: () => [],
    secrets: ['a secret of the tests, which is long enough'],
  };
  const upstream = { issuer: 'https://login.example.com', clientId: 'mcp' };
  expect(readProxyOptions({ ...options, upstream }).upstream).toMatchObject({
    scopes: ['openid', 'profile', 'email'],
    parameters: {},
  });
  const chosen = { ...upstream, scopes: ['openid'] };
  expect(readProxyOptions({ ...options, upstream: chosen }).upstream.scopes).toEqual(['openid']);
});
