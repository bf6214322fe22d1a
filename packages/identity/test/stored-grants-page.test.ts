import { MemoryRecordStore, systemClock } from '@toolwright/core/ports';
import { Browser, hidden } from './support/browser.js';
import { GrantDesk } from './support/grant-desk.js';
import { CALENDAR } from './support/granting-issuer.js';

const secrets = ['a secret of the tests that has more than 32 characters'];

let desk: GrantDesk;
let records: MemoryRecordStore;

beforeEach(async () => {
  records = new MemoryRecordStore(systemClock);
  desk = await GrantDesk.open({ stores: { records }, secrets });
});
afterEach(() => desk.close());

describe('the page', () => {
  /** The address of an open question of Ann, and what her call says in the end. */
  async function question() {
    let shown!: (url: string) => void;
    let close!: () => void;
    const url = new Promise<string>((resolve) => (shown = resolve));
    const done = new Promise<void>((resolve) => (close = resolve));
    const person = async (address: string) => {
      shown(address);
      await done;
    };
    const call = desk.callAs('ann', { revision: '2025-11-25', person, action: 'cancel' });
    return {
      url: await url,
      async end() {
        close();
        return call;
      },
    };
  }

  test('says who asks for what, and where the person signs in', async () => {
    const { url, end } = await question();
    const { html, headers } = await new Browser().openAs('ann', url);
    for (const part of ['desk', CALENDAR, 'calendar:write', desk.calendar.issuer, 'signed in as ann.'])
      expect(html).toContain(part);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    await end();
  });

  test('is for the caller alone: who got the address from somebody else gives nothing away', async () => {
    const { url, end } = await question();
    const browser = new Browser();
    const { html, status } = await browser.openAs('bea', url);
    expect([status, html]).toEqual([403, expect.stringContaining('This question is for somebody else')]);
    const forced = await browser.open(url, { token: hidden(html, 'token'), decision: 'connect' });
    expect(forced.status).toBe(403);
    expect((await end()).isError).toBe(true);
    expect(records.list('grants')).toEqual([]);
  });

  test('takes no form of another site, and none without its token', async () => {
    const { url, end } = await question();
    const browser = new Browser();
    const { html } = await browser.openAs('ann', url);
    const token = hidden(html, 'token');
    const evil = { origin: 'https://evil.example' };
    for (const [form, headers] of [
      [{ token: '', decision: 'connect' }, {}],
      [{ token, decision: 'connect' }, evil],
      [{ token, decision: 'perhaps' }, {}],
    ] as const)
      expect((await browser.open(url, form, headers)).status).toBe(403);
    expect((await new Browser().open(url, { token, decision: 'connect' })).status).toBe(403);
    await end();
  });

  test('the way back counts in the browser that went there, in its session, and once', async () => {
    const { url, end } = await question();
    const ann = new Browser();
    const { html } = await ann.openAs('ann', url);
    const there = await ann.open(url, { token: hidden(html, 'token'), decision: 'connect' });
    // Ann signs in at the issuer, and her browser is stopped on its way back.
    const back = await lastStep(ann, there.at, desk.url);
    const stranger = new Browser();
    await stranger.openAs('bea', url);
    expect((await stranger.open(back)).status).toBe(404);
    const anew = new Browser();
    anew.cookies.set(new URL(url).origin, new Map(ann.cookies.get(new URL(url).origin)));
    await anew.open(`${url}/sign-in`).then(({ at }) => anew.open(at, { user: 'ann' }));
    expect((await anew.open(back)).status).toBe(403);
    expect(records.list('grants')).toEqual([]);
    expect((await ann.open(back)).html).toContain('Connected');
    expect((await ann.open(back)).status).toBe(404);
    expect(records.list('grants')).toHaveLength(1);
    await end();
  });

  test('a code of somebody else opens nothing', async () => {
    const { url, end } = await question();
    const ann = new Browser();
    const { html } = await ann.openAs('ann', url);
    const there = await ann.open(url, { token: hidden(html, 'token'), decision: 'connect' });
    const back = await lastStep(ann, there.at, desk.url);
    const other = new Browser();
    const second = await other.openAs('ann', url);
    const away = await other.open(url, { token: hidden(second.html, 'token'), decision: 'connect' });
    const foreign = await lastStep(other, away.at, desk.url);
    back.searchParams.set('code', foreign.searchParams.get('code')!);
    expect((await ann.open(back)).status).toBe(502);
    expect(records.list('grants')).toEqual([]);
    await end();
  });

  test('has nothing at other addresses', async () => {
    for (const path of ['/x', '/granted', '/granted?state=1', `/${'a'.repeat(24)}/other`])
      expect((await new Browser().open(desk.url + path)).status).toBe(404);
    expect((await fetch(new URL('/elsewhere', desk.url))).status).toBe(404);
  });
});

/** Signs in at the issuer, and returns the address that the browser would open next. */
async function lastStep(browser: Browser, at: URL, pages: string): Promise<URL> {
  const open = browser.open.bind(browser);
  const seen: URL[] = [];
  const original = globalThis.fetch;
  globalThis.fetch = (async (target: URL, init: RequestInit) => {
    if (!String(target).startsWith(`${pages}/granted`)) return original(target, init);
    seen.push(new URL(target));
    return new Response('stopped');
  }) as never;
  try {
    await open(at, { user: 'ann@home' });
  } finally {
    globalThis.fetch = original;
  }
  return seen[0]!;
}
