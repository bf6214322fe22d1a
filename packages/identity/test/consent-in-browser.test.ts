import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { ProxyAtWork, register } from './support/open-proxy.js';

const RESOURCE = 'http://127.0.0.1:3000/mcp';
const NAME = `<img src=x onerror="document.title = 'taken'">`;

let proxy: ProxyAtWork;
/** The page of the client that the code is brought to. */
let callback: string;
const client = createServer((_req, res) => res.end('Signed in.'));

beforeAll(async () => {
  proxy = await ProxyAtWork.start(RESOURCE, { replicas: 2 });
  await once(client.listen(0, '127.0.0.1'), 'listening');
  callback = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`;
});

afterAll(async () => {
  client.close();
  client.closeAllConnections();
  await proxy.close();
});

async function authorizeUrl(): Promise<string> {
  const id = await register(proxy.issuer, callback, '/oauth/register', { client_name: NAME });
  const url = new URL(`${proxy.issuer}/oauth/authorize`);
  url.search = new URLSearchParams({
    client_id: id,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'read write',
    resource: RESOURCE,
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update('a verifier').digest('base64url'),
  }).toString();
  return url.href;
}

describeInChromium('the page of consent in a browser', (browser) => {
  test.each(['light', 'dark'] as const)(
    'is readable for everyone (%s), and runs nothing',
    async (colorScheme) => {
      const context = await browser().newContext({ colorScheme, viewport: { width: 390, height: 700 } });
      const page = await context.newPage();
      await page.goto(await authorizeUrl());
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.title()).toBe('Let this application in?');
      expect(await page.textContent('main')).toContain(NAME);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await context.close();
    },
  );

  test('leads to the issuer and back with the keyboard alone', async () => {
    const context = await browser().newContext();
    const page = await context.newPage();
    await page.goto(await authorizeUrl());
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${proxy.upstream.issuer}/**`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${callback}*`);
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy();
    await context.close();
  });

  test('brings a refusal to the client', async () => {
    const context = await browser().newContext();
    const page = await context.newPage();
    await page.goto(await authorizeUrl());
    await page.getByText('Do not let it in').click();
    await page.waitForURL(`${callback}*`);
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
    await context.close();
  });
});
