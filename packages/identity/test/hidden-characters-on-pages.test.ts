import { Browser } from './support/browser.js';
import { register } from './support/open-proxy.js';
import { RefundDesk } from './support/refund-desk.js';

/** What no page may pass on as it is: each of them can carry words that nobody sees, or turn them round. */
const CODES = ['e0100', 'ad', '2064', '200b', '202e', 'e0041'];
const HIDING = CODES.map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
const NAME = `A${HIDING.join('.')}`;

let desk: RefundDesk;
beforeAll(async () => {
  desk = await RefundDesk.open();
});
afterAll(() => desk.close());

function expectShown(html: string, part: string): void {
  expect(html).toContain(part);
  for (const [at, code] of CODES.entries()) {
    expect(html).toContain(`\\u{${code}}`);
    expect([code, html.includes(HIDING[at]!)]).toEqual([code, false]);
  }
}

test('the sign-in writes out what hides in the name of a client', async () => {
  const redirect = 'http://127.0.0.1:9/callback';
  const client = await register(desk.issuer.issuer, redirect, '/reg', { client_name: NAME });
  const url = new URL(`${desk.issuer.issuer}/auth`);
  url.search = new URLSearchParams({
    client_id: client,
    response_type: 'code',
    redirect_uri: redirect,
    code_challenge_method: 'S256',
    code_challenge: 'a'.repeat(43),
  }).toString();
  expectShown((await new Browser().open(url)).html, 'Sign in as a test user');
});

test('an approval writes out what hides in the question, the values and the name of the program', async () => {
  let html = '';
  const client = await desk.connect('ann', {
    clientInfo: { name: NAME, version: '1' },
    elicit: async ({ url }) => {
      ({ html } = await new Browser().openAs('bea', url!));
      return { action: 'decline' };
    },
  });
  await client.call('refund', { order: NAME });
  expectShown(html, 'Refund order');
  await client.close();
});
