import { MemoryRecordStore, systemClock } from '@toolwright/core/ports';
import { userGrants } from '../src/index.js';
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

const grantIn = (html: string) => /name="grant" value="([0-9a-f]{40})"/.exec(html)![1]!;
const formIn = (html: string) => ({ token: hidden(html, 'token'), grant: grantIn(html) });

describe('the page of what a person has granted', () => {
  test('shows the grants of the person who has signed in, and of nobody else', async () => {
    await desk.grantAs('ann');
    const { html, status } = await new Browser().openAs('ann', desk.url);
    expect(status).toBe(200);
    for (const part of ['desk', CALENDAR, 'calendar:write', desk.calendar.issuer, 'signed in as ann.'])
      expect(html).toContain(part);
    const other = await new Browser().openAs('bea', desk.url);
    expect(other.html).toContain('You have granted nothing');
    expect(other.html).not.toContain(CALENDAR);
  });

  test('ends a grant here, at once, and at its issuer', async () => {
    await desk.grantAs('ann');
    const browser = new Browser();
    const { html } = await browser.openAs('ann', desk.url);
    const after = await browser.open(desk.url, formIn(html));
    expect([after.status, String(after.at)]).toEqual([200, desk.url]);
    expect(after.html).toContain('You have granted nothing');
    expect(desk.calendar.requests.at(-1)).toMatchObject({ path: '/token/revocation' });
    expect((await desk.callAs('ann', { action: 'cancel' })).opened).toHaveLength(1);
    expect(desk.audit.filter(({ operation }) => (operation as string) === 'grant').at(-1)).toMatchObject({
      name: CALENDAR,
      outcome: 'ended',
      principal: { subject: 'ann' },
      loggable: { resource: CALENDAR, scopes: ['calendar:read', 'calendar:write'] },
    });
    // The same form again, such as from another window: there is nothing left to end.
    expect((await browser.open(desk.url, formIn(html))).html).toContain('You have granted nothing');
    expect(desk.calendar.requests.filter(({ path }) => path === '/token/revocation')).toHaveLength(1);
  });

  test('takes no form of another site, none without its token, and none of somebody else', async () => {
    await desk.grantAs('ann');
    await desk.grantAs('bea');
    const ann = new Browser();
    const { html } = await ann.openAs('ann', desk.url);
    const bea = new Browser();
    const own = formIn((await bea.openAs('bea', desk.url)).html);
    const { token, grant } = formIn(html);
    for (const [form, headers] of [
      [{ token: '', grant }, {}],
      [{ token, grant }, { origin: 'https://evil.example' }],
      [{ token, grant }, { 'sec-fetch-site': 'cross-site' }],
      [{ token, grant: own.grant }, {}],
      [own, {}],
    ] as const)
      expect((await ann.open(desk.url, form, headers)).status).toBe(403);
    expect((await new Browser().open(desk.url, { token, grant })).status).toBe(403);
    expect(records.list('grants')).toHaveLength(2);
    expect((await userGrants({ records, secrets }).list()).map(({ revoked }) => revoked)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('says so when the issuer does not take it, and takes the grant from all tools in any case', async () => {
    await desk.grantAs('ann');
    const browser = new Browser();
    const { html } = await browser.openAs('ann', desk.url);
    desk.calendar.answer = 'broken';
    const failed = await browser.open(desk.url, formIn(html));
    expect([failed.status, failed.html]).toEqual([502, expect.stringContaining('has not ended it')]);
    expect(failed.html).not.toContain('secret words');
    expect((await desk.callAs('ann', { action: 'cancel' })).isError).toBe(true);
    desk.calendar.answer = 'token';
    const again = await browser.open(desk.url);
    expect(again.html).toContain('its issuer has not ended it yet');
    expect((await browser.open(desk.url, formIn(again.html))).html).toContain('You have granted nothing');
  });

  test('lets somebody sign in as another person, and answers no other method', async () => {
    await desk.grantAs('bea');
    const browser = new Browser();
    await browser.openAs('ann', desk.url);
    const { html } = await browser.openAs('bea', `${desk.url}/sign-in`);
    expect(html).toContain(CALENDAR);
    const { status } = await fetch(desk.url, { method: 'DELETE' });
    expect(status).toBe(404);
  });
});
