import { DevPage } from './support/dev-page.js';
import { rawRequest } from './support/raw-request.js';

let page: DevPage;

beforeEach(async () => {
  page = await DevPage.open();
});

afterEach(() => page.close());

async function show(request: object): Promise<{ status: number; url: string; message: string }> {
  const { status, body } = await page.send('frames', { method: 'POST', body: JSON.stringify(request) });
  return { status, ...(JSON.parse(body) as { url: string; message: string }) };
}

describe('the page of an MCP App', () => {
  it('has an origin and a policy of its own, and may be framed by the console only', async () => {
    const { url } = await show({
      html: '<p>chart',
      csp: {
        resourceDomains: ['https://cdn.test'],
        connectDomains: ['https://*.api.test:*', 'wss://live.test'],
      },
    });
    expect(new URL(url).origin).toBe(page.console.appOrigin);
    expect(new URL(url).origin).not.toBe(page.origin);
    const { body, headers } = await rawRequest(url, { headers: { 'sec-fetch-dest': 'iframe' } });
    expect(body).toBe('<p>chart');
    const policy = headers['content-security-policy'] as string;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'unsafe-inline' https://cdn.test;");
    expect(policy).toContain('connect-src https://*.api.test:* wss://live.test;');
    expect(policy).toContain(`frame-ancestors ${page.origin};`);
    expect(policy).toMatch(/sandbox allow-scripts$/);
    expect(policy).not.toContain('allow-same-origin');
  });

  it('can reach nothing that it does not declare', async () => {
    const { url } = await show({ html: '<p>' });
    const policy = (await rawRequest(url)).headers['content-security-policy'] as string;
    for (const directive of ['connect-src', 'frame-src', 'base-uri', 'object-src', 'form-action'])
      expect(policy).toContain(`${directive} 'none'`);
  });

  it('opens no connections but to what it declares, in browsers that can be told so', async () => {
    const sent = async (csp?: object) => {
      const { url } = await show({ html: '<p>', ...(csp && { csp }) });
      return (await rawRequest(url)).headers;
    };
    expect(await sent()).toMatchObject({ 'connection-allowlist': '()', 'x-dns-prefetch-control': 'off' });
    const { 'connection-allowlist': allowed } = await sent({
      resourceDomains: ['https://cdn.test/fonts/'],
      connectDomains: ['https://*.api.test:*', 'wss://live.test'],
    });
    expect(allowed).toBe(
      '("https://cdn.test/fonts/*" "https://*.api.test:*/*" "wss://live.test/*" "https://live.test/*")',
    );
  });

  it.each([
    ["https://a.test; script-src 'unsafe-eval'"],
    ["'unsafe-eval'"],
    ['*'],
    ['https://a.test\r\nset-cookie: a=b'],
    ['javascript:alert(1)'],
    [7],
  ])('cannot declare %j', async (source) => {
    const { status, message } = await show({ html: '<p>', csp: { resourceDomains: [source] } });
    expect(status).toBe(400);
    expect(message).toContain('is no origin');
  });

  it('has an address that nobody can guess, and is no page of its own', async () => {
    const { url } = await show({ html: '<p>' });
    expect(new URL(url).pathname).toMatch(/^\/[\w-]{24}$/);
    const attacks = [
      rawRequest(`${page.console.appOrigin}/`),
      rawRequest(`${page.console.appOrigin}/constructor`),
      rawRequest(url, { headers: { host: 'evil.test' } }),
      rawRequest(url, { headers: { 'sec-fetch-dest': 'document' } }),
      rawRequest(url, { method: 'POST' }),
    ];
    for (const { status } of await Promise.all(attacks)) expect(status).toBe(404);
  });

  it('is forgotten when there are many later ones', async () => {
    const { url } = await show({ html: '<p>' });
    for (let number = 0; number < 32; number++) await show({ html: '<p>' });
    expect((await rawRequest(url)).status).toBe(404);
  });
});
