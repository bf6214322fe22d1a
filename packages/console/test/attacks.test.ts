import { connect } from 'node:net';
import { DevPage } from './support/dev-page.js';
import { rawRequest } from './support/raw-request.js';

let page: DevPage;

beforeEach(async () => {
  page = await DevPage.open();
});

afterEach(() => page.close());

const port = () => Number(new URL(page.home).port);

describe('the token of the run', () => {
  it('becomes a cookie at once, and is in no later address, header or page', async () => {
    const token = new URL(page.address).searchParams.get('token')!;
    const { status, headers } = await rawRequest(page.address);
    expect(status).toBe(303);
    expect(headers.location).not.toContain(token);
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cache-control']).toBe('no-store');
    expect(page.cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/[\w-]{16}$/);
    expect(page.cookie).toContain(`toolwright-console-${port()}=`);
    expect(page.cookie).not.toContain(token);
    const home = await page.send('');
    expect(home.status).toBe(200);
    expect(JSON.stringify(home)).not.toContain(token);
  });

  it.each([
    ['a wrong token', 'x'],
    ['no token', ''],
    ['a part of it', undefined],
  ])('lets nobody in with %s', async (_, given) => {
    const token = new URL(page.address).searchParams.get('token')!;
    const { status, headers, body } = await rawRequest(
      `${page.origin}/?token=${given ?? token.slice(0, -1)}`,
    );
    expect(status).toBe(401);
    expect(headers['set-cookie']).toBeUndefined();
    expect(body).not.toContain(token.slice(0, 8));
  });

  it('is not taken under a name that a stranger owns', async () => {
    const { status, headers } = await rawRequest(page.address, { headers: { host: `evil.test:${port()}` } });
    expect(status).toBe(421);
    expect(headers['set-cookie']).toBeUndefined();
  });
});

/** Everything that the page asks for. */
const targets = [
  ['the page', '', {}],
  ['a file', 'assets/a.js', {}],
  ['the events', 'api/events', { onlyHeaders: true }],
  ['a method', 'api/overview', { method: 'POST', body: '{}' }],
  ['a frame', 'frames', { method: 'POST', body: '{"html":"<p>"}' }],
] as const;

/** What a browser writes into requests that the page of the console did not send, or what a program lacks. */
const attacks: readonly [string, number, () => Record<string, string>][] = [
  ['DNS rebinding', 421, () => ({ host: `evil.test:${port()}` })],
  ['another name of this machine', 421, () => ({ host: `localhost:${port()}` })],
  ['another port', 421, () => ({ host: '127.0.0.1:1' })],
  ['a page of a stranger', 403, () => ({ origin: 'https://evil.test' })],
  ['a sandboxed page', 403, () => ({ origin: 'null' })],
  ['a page of another port', 403, () => ({ origin: 'http://127.0.0.1:1' })],
  ['a link on a page of a stranger', 403, () => ({ 'sec-fetch-site': 'cross-site' })],
  ['a link on a page of another port', 403, () => ({ 'sec-fetch-site': 'same-site' })],
  ['no cookie', 401, () => ({ cookie: '' })],
  ['a guessed cookie', 401, () => ({ cookie: `toolwright-console-${port()}=${'A'.repeat(32)}` })],
  ['a cookie of another run', 401, () => ({ cookie: page.cookie.split(';')[0]!.replace(/-\d+=/, '-1=') })],
];

describe.each(targets)('%s is refused', (_, path, asked) => {
  it('to nobody whom the person let in', async () => {
    expect((await page.send(path, asked)).status).toBe(200);
  });

  it.each(attacks)('for %s', async (__, status, headers) => {
    const answer = await page.send(path, { ...asked, headers: headers() });
    expect(answer.status).toBe(status);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.body).not.toContain('evil');
  });
});

describe('requests that change something', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'cannot be sent by a form (%s)',
    async (type) => {
      const answer = await page.post('overview', {}, { headers: { 'content-type': type } });
      expect(answer.status).toBe(415);
    },
  );

  it('cannot be sent by a link, nor by a person who types their address', async () => {
    expect((await page.send('api/clearRecords')).status).toBe(405);
    const typed = await page.post('overview', {}, { headers: { 'sec-fetch-site': 'none', origin: '' } });
    expect(typed.status).toBe(403);
  });

  it('are asked of methods that exist only', async () => {
    for (const method of ['nothing', 'constructor', '__proto__', 'toString'])
      expect((await page.post(method)).status).toBe(404);
  });
});

describe('a body that is too large', () => {
  it('is refused before it comes, when its length is told', async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port(), '127.0.0.1', () =>
        socket.write(
          [
            `POST ${new URL('api/overview', page.home).pathname} HTTP/1.1`,
            `Host: 127.0.0.1:${port()}`,
            `Cookie: ${page.cookie.split(';')[0]}`,
            'Content-Type: application/json',
            'Content-Length: 99999999',
            '',
            '',
          ].join('\r\n'),
        ),
      );
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/connection: close/i);
  });

  it('is cut off when its length is not told', async () => {
    const answer = await page
      .post(
        'overview',
        {},
        {
          headers: { 'transfer-encoding': 'chunked' },
          body: JSON.stringify({ a: 'x'.repeat(17 * 1024 * 1024) }),
        },
      )
      .catch((error: NodeJS.ErrnoException) => error.code);
    // The connection may break before the client has read the answer.
    expect([413, 'EPIPE', 'ECONNRESET']).toContain(typeof answer === 'object' ? answer.status : answer);
  });
});

describe('the page', () => {
  it('may run only its own scripts, without eval, and be framed by nobody', async () => {
    const { headers, body } = await page.send('');
    const policy = headers['content-security-policy'] as string;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe-eval');
    expect(policy).toContain(`frame-src ${page.console.appOrigin};`);
    const [, nonce] = /style-src 'self' 'nonce-([^']+)'/.exec(policy)!;
    expect(body).toContain(`nonce="${nonce}"`);
    expect(body).toContain(`<base href="${new URL(page.home).pathname}">`);
    expect((await page.send('')).headers['content-security-policy']).not.toContain(nonce);
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it.each(['../secret.js', '..%2fsecret.js', 'assets/../../secret.js', '%2e%2e/secret.js', 'assets/a.js%00'])(
    'has no file %s',
    async (path) => {
      const { pathname } = new URL(page.home);
      const answer = await new Promise<string>((resolve) => {
        const socket = connect(port(), '127.0.0.1', () =>
          socket.write(
            `GET ${pathname}${path} HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nCookie: ${page.cookie.split(';')[0]}\r\nConnection: close\r\n\r\n`,
          ),
        );
        let text = '';
        socket.on('data', (chunk) => (text += chunk.toString()));
        socket.on('close', () => resolve(text));
      });
      expect(answer).toMatch(/^HTTP\/1\.1 40[0-4] /);
      expect(answer).not.toContain('secret');
    },
  );
});

describe('another protocol on the port of the console', () => {
  it.each([
    ['from a page', () => ({ origin: page.origin })],
    ['from a page of a stranger', () => ({ origin: 'https://evil.test' })],
    ['under another name', () => ({ host: 'evil.test' })],
    ['that nobody takes', () => ({})],
  ])('is refused %s', async (_, headers) => {
    const answer = await rawRequest(page.home, {
      headers: { connection: 'Upgrade', upgrade: 'websocket', ...headers() },
    });
    expect(answer.status).toBe(403);
  });
});

describe('production', () => {
  const before = process.env['NODE_ENV'];
  afterEach(() => {
    process.env['NODE_ENV'] = before;
  });

  it('has no console of dev', async () => {
    process.env['NODE_ENV'] = 'production';
    await expect(DevPage.open()).rejects.toThrow('for development only');
  });
});
