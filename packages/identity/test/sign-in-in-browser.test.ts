import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { startDevIssuer, type DevIssuer } from '../src/dev.js';

let issuer: DevIssuer;
/** The page of the client that the code is brought to. */
let callback: string;
const client = createServer((_req, res) => res.end('Signed in.'));

beforeAll(async () => {
  issuer = await startDevIssuer();
  await once(client.listen(0, '127.0.0.1'), 'listening');
  callback = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`;
});

afterAll(async () => {
  client.close();
  client.closeAllConnections();
  await issuer.close();
});

async function authorizeUrl(): Promise<string> {
  const response = await fetch(`${issuer.issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: `<script>document.title = 'taken'</script>`,
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
    }),
  });
  const { client_id } = (await response.json()) as { client_id: string };
  const url = new URL(`${issuer.issuer}/auth`);
  const params = {
    client_id,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'read write',
    resource: 'http://127.0.0.1:3000/mcp',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

describeInChromium('the sign-in page in a browser', (browser) => {
  test.each(['light', 'dark'] as const)(
    'is readable for everyone (%s), and runs nothing',
    async (colorScheme) => {
      const page = await (
        await browser().newContext({ colorScheme, viewport: { width: 390, height: 700 } })
      ).newPage();
      await page.goto(await authorizeUrl());
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.title()).toBe('Sign in as a test user');
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.context().close();
    },
  );

  test('signs in with the keyboard alone, and brings the code to the client', async () => {
    const page = await (await browser().newContext()).newPage();
    await page.goto(await authorizeUrl());
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.value')).toBe('ben');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${callback}*`);
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy();
    await page.context().close();
  });
});
