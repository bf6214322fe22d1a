import { openAuthorizationProxy } from '../src/proxy.js';
import { describeProxy } from './support/describe-proxy.js';

describeProxy('Replicas of the proxy, with records in memory');

test('Wrong options are named together, each with what it must be', async () => {
  const wrong = {
    issuer: 'http://mcp.example.com/path',
    upstream: { issuer: 'https://login.example.com' },
    resources: {},
    scopesOf: () => [],
    secrets: ['short'],
    redirects: ['*'],
  };
  await expect(openAuthorizationProxy(wrong as never)).rejects.toThrow(
    /issuer.*clientId.*resources.*secrets.*redirects/s,
  );
});
