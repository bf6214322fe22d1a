import { Confirm, ConfigurationError, createMcpServer } from '@toolwright/core';
import { oauthResourceServer } from '@toolwright/http';
import { silentLogger } from '@toolwright/core/ports';
import { approvalPage } from '../src/index.js';

async function problemsOf(options: object): Promise<{ code: string; message: string }[]> {
  const booting = createMcpServer({
    name: 'refunds',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
    ...options,
  } as never);
  const error = await booting.then(
    (server) => server.close().then(() => undefined),
    (failure: unknown) => failure,
  );
  return error === undefined ? [] : [...(error as ConfigurationError).problems];
}

const approvals = {
  url: 'https://api.example.com/approvals',
  oauth: { authenticate: () => ({}), resource: 'https://api.example.com/mcp' },
  issuer: 'https://login.example.com',
  clientId: 'page',
};

test('a server without the page takes no such tool, and the problem names package and option', async () => {
  const server = await createMcpServer({
    name: 'refunds',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
  });
  let error: unknown;
  try {
    server.tools.add({
      name: 'refund',
      description: 'Pays.',
      policies: [Confirm.entry('Pay?', { by: 'page' })],
      handler: () => 'x',
    });
  } catch (failure) {
    error = failure;
  }
  expect((error as ConfigurationError).problems).toEqual([
    expect.objectContaining({
      code: 'TW_PACKAGE_MISSING',
      message: expect.stringContaining('@toolwright/identity') as unknown,
      fix: expect.stringContaining('"approvals"') as unknown,
    }),
  ]);
  await server.close();
});

test('wrong options are reported at their place, and no secret is repeated', async () => {
  const wrong = {
    ...approvals,
    url: 'http://api.example.com/x',
    clientSecret: 7,
    issuer: 'login',
    lifetme: 1,
  };
  const messages = (await problemsOf({ approvals: wrong })).map(({ message }) => message).join('\n');
  for (const option of ['approvals.url', 'approvals.clientSecret', 'approvals.issuer', 'approvals.lifetme'])
    expect(messages).toContain(option);
});

test.each([
  [{ by: 'page', fallback: 'argument' }, 'an argument proves nothing'],
  [{ approver: { notCaller: true } }, "only a page can tell who approves (by: 'page')"],
])('%j is a problem', async (options, why) => {
  const server = await createMcpServer({
    name: 'refunds',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
  });
  expect(() =>
    server.tools.add({
      name: 'refund',
      description: 'Pays.',
      policies: [Confirm.entry('Pay?', options as never)],
      handler: () => 'x',
    }),
  ).toThrow(why);
  await server.close();
});

test('an issuer whose tokens nobody accepts is a problem, since nobody could sign in', async () => {
  const oauth = oauthResourceServer({
    resource: 'https://api.example.com/mcp',
    issuers: ['https://login.example.com'],
  });
  expect(await problemsOf({ approvals: { ...approvals, oauth } })).toEqual([]);
  const [problem, ...others] = await problemsOf({
    approvals: { ...approvals, oauth, issuer: 'https://login.example.com/' },
  });
  expect([problem!.message, others]).toEqual([
    'approvals.issuer: https://login.example.com/ is none of the issuers that oauthResourceServer trusts, so nobody could sign in on this page.',
    [],
  ]);
  const anyTenant = { issuer: 'https://shared.example.com', isIssuer: () => true };
  const shared = oauthResourceServer({ resource: approvals.oauth.resource, issuers: [anyTenant] });
  expect(await problemsOf({ approvals: { ...approvals, oauth: shared } })).toEqual([]);
});

test('the page of a server that has none is a problem', async () => {
  const server = await createMcpServer({
    name: 'refunds',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
  });
  expect(() => approvalPage(server)).toThrow(ConfigurationError);
  await server.close();
});
