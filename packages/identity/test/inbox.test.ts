import { ManualClock } from '@toolwright/testing';
import { answerAs, ask, inboxOf, withTime } from './support/asked.js';
import { Browser, hidden } from './support/browser.js';
import { RefundDesk } from './support/refund-desk.js';

let desk: RefundDesk;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  clock.advance(Date.UTC(2030, 0, 2, 23, 58) - clock.now());
  desk = await RefundDesk.open({ ports: { clock }, about: { brand: { name: 'Acme Kettles' } } });
});
afterEach(() => desk.close());

const answerThere = async (user: string, decision: string) => {
  const { browser, items } = await inboxOf(desk, user);
  return browser.open(new URL(items[0]!.action, desk.url), { token: items[0]!.token, decision });
};

test('an approver finds what waits, oldest first, answers there, and the call runs once', async () => {
  const first = await ask(desk, 'ann', 'refund', { order: 'A1', amount: 20, card: 'card-4111-1111-of-ann' });
  clock.advance(60_000);
  const second = await ask(desk, 'cleo', 'refund', { order: 'B2' });
  const { html, items, browser } = await inboxOf(desk, 'bea');
  expect(html).toContain('Acme Kettles');
  expect(html).toContain('2 questions wait');
  expect(items.map(({ html: item }) => item.slice(0, item.indexOf('</h2>')))).toEqual([
    'Refund order A1?',
    'Refund order B2?',
  ]);
  const [item] = items;
  for (const row of [
    '<dt>For</dt><dd><pre>ann</pre></dd>',
    '<dt>Operation</dt><dd><pre>refund</pre></dd>',
    '<dt>amount</dt><dd><pre>20</pre></dd>',
    '<dt>card</dt><dd><pre>[sensitive]</pre></dd>',
    '<dt>Waits since</dt><dd><pre>2030-01-02 23:58 UTC</pre></dd>',
    '<dt>Until</dt><dd><pre>2030-01-03 00:08 UTC, in 9 minutes</pre></dd>',
  ])
    expect(item!.html).toContain(row);
  expect(html).not.toContain('4111-1111');
  expect(html).not.toContain('<script');
  const shown = await browser.open(new URL(item!.action, desk.url), {
    token: item!.token,
    decision: 'approve',
  });
  expect(shown.html).toContain('<h1>Approved</h1>');
  expect(shown.html).toContain('What else waits for you');
  await first.resume();
  expect(desk.refunds).toEqual([expect.objectContaining({ order: 'A1' })]);
  expect((await inboxOf(desk, 'bea')).items).toHaveLength(1);
  expect((await answerThere('bea', 'refuse')).html).toContain('<h1>Refused</h1>');
  expect(JSON.stringify(await second.resume())).toContain('A person has refused refund');
  expect((await inboxOf(desk, 'bea')).html).toContain('Nothing waits for you now.');
});

test.each([
  ['refund', 'bea', 1],
  ['refund', 'eli', 1],
  ['refund', 'ann', 0],
  ['refund', 'cleo', 0],
  ['refund_own', 'ann', 1],
  ['refund_own', 'bea', 0],
  ['refund_four_eyes', 'ann', 0],
  ['refund_four_eyes', 'cleo', 1],
])('%s of ann waits for %s: %d', async (tool, user, count) => {
  await ask(desk, 'ann', tool, { order: 'secret-order' });
  const { items, html } = await inboxOf(desk, user);
  expect(items).toHaveLength(count);
  expect(html.includes('secret-order')).toBe(count > 0);
});

test('what is over is not there, and what was shown before cannot be approved any more', async () => {
  const { resume, url } = await ask(desk, 'ann', 'refund');
  const { browser, items } = await inboxOf(desk, 'bea');
  clock.advance(599_000);
  expect((await inboxOf(desk, 'bea')).html).toContain('in less than a minute');
  const ended = await withTime(clock, resume());
  expect(JSON.stringify(ended)).toContain('Nobody has approved refund in time');
  expect((await inboxOf(desk, 'bea')).items).toEqual([]);
  const late = await browser.open(new URL(items[0]!.action, desk.url), {
    token: items[0]!.token,
    decision: 'approve',
  });
  expect([late.status, late.html.includes('You have not signed in')]).toEqual([403, true]);
  const again = await browser.openAs('bea', url);
  expect([again.status, again.html.includes('This question has ended')]).toEqual([404, true]);
  expect(desk.refunds).toEqual([]);
});

test('many questions have several pages, and a page that is gone is the last one', async () => {
  for (let at = 0; at < 12; at++) {
    await ask(desk, at % 2 ? 'ann' : 'cleo', 'refund', { order: `O-${at}` });
    clock.advance(1);
  }
  const orders = async (query: string) => {
    const { items, html } = await inboxOf(desk, 'bea', query);
    return [items.map(({ html: item }) => /order (O-\d+)/.exec(item)![1]), /Page \d+ of \d+/.exec(html)?.[0]];
  };
  const ten = Array.from({ length: 10 }, (_, at) => `O-${at}`);
  for (const query of ['', '?page=1', '?page=0', '?page=-1', '?page=x', '?page=1e99&page=2', '?page=1.5'])
    expect([query, await orders(query)]).toEqual([
      query,
      query.includes('1e99') ? [['O-10', 'O-11'], 'Page 2 of 2'] : [ten, 'Page 1 of 2'],
    ]);
  for (const query of ['?page=2', '?page=99'])
    expect(await orders(query)).toEqual([['O-10', 'O-11'], 'Page 2 of 2']);
});

test('a mail scanner, a forwarded link and a prefetching browser decide nothing', async () => {
  const { url, resume } = await ask(desk, 'ann', 'refund');
  const addresses = [url, `${url}?decision=approve`, `${url}/sign-in`, `${url}/closed`, desk.url];
  // A scanner opens each link, with all methods, and has no session.
  for (const address of addresses)
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      const response = await fetch(address, { method, redirect: 'manual' });
      expect([address, method, response.ok]).toEqual([address, method, false]);
    }
  // A browser in which the approver is signed in loads the page in advance, and throws it away.
  const bea = new Browser();
  await bea.openAs('bea', url);
  for (let at = 0; at < 3; at++) await bea.open(url, undefined, { 'sec-purpose': 'prefetch;prerender' });
  // Whoever gets the link signs in as themselves.
  for (const user of ['ann', 'cleo']) expect((await new Browser().openAs(user, url)).status).toBe(403);
  expect((await inboxOf(desk, 'bea')).items).toHaveLength(1);
  await answerAs('bea', url, 'approve');
  await resume();
  expect(desk.refunds).toHaveLength(1);
});

test('a double click, and the form of another session, count once and not at all', async () => {
  const { resume } = await ask(desk, 'ann', 'refund');
  const bea = await inboxOf(desk, 'bea');
  const eli = await inboxOf(desk, 'eli');
  const send = (browser: Browser, token: string) =>
    browser.open(new URL(bea.items[0]!.action, desk.url), { token, decision: 'approve' });
  expect((await send(eli.browser, bea.items[0]!.token)).status).toBe(403);
  const clicks = await Promise.all([1, 2, 3].map(() => send(bea.browser, bea.items[0]!.token)));
  expect(clicks.map(({ html }) => html.includes('<h1>Approved</h1>'))).toEqual([true, true, true]);
  await Promise.all([resume(), resume()]);
  expect(desk.refunds).toHaveLength(1);
  const approved = desk.history.filter(({ outcome }) => outcome === 'approved');
  expect(approved).toEqual([
    expect.objectContaining({
      operation: 'approval',
      name: 'refund',
      principal: expect.objectContaining({ subject: 'ann' }) as unknown,
      approver: expect.objectContaining({ subject: 'bea' }) as unknown,
    }),
  ]);
});

test('another site can neither read the inbox in a frame nor answer in it', async () => {
  const { url } = await ask(desk, 'ann', 'refund');
  const { browser, items } = await inboxOf(desk, 'bea');
  const { headers } = await browser.open(desk.url);
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  const form = { token: items[0]!.token, decision: 'approve' };
  for (const from of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    expect((await browser.open(url, form, from as never)).status).toBe(403);
  expect((await browser.open(url, { ...form, token: hidden('', 'token') })).status).toBe(403);
  expect((await inboxOf(desk, 'bea')).items).toHaveLength(1);
});
