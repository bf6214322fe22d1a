// A real authorization server (oidc-provider) on a free loopback port: prints its issuer, stops when stdin closes.
import { createServer } from 'node:http';

// It warns that its Node.js and its keys are not for production, as soon as it is loaded.
process.stderr.write = () => true;
const { default: Provider } = await import('oidc-provider');

const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

const client = (client_id) => ({
  client_id,
  client_secret: 'secret-of-the-test',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
});

const provider = new Provider(issuer, {
  clients: [client('agent')],
  scopes: ['pages:read', 'pages:write', 'notes:read', 'notes:write'],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, resource) => ({
        scope: 'pages:read pages:write notes:read notes:write',
        audience: resource,
        accessTokenTTL: 60,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});
server.on('request', provider.callback());
console.log(issuer);
process.stdin.on('end', () => process.exit(0)).resume();
