import { ManualClock } from '@toolwright/testing';
import { answerAs, ask, inboxOf } from './support/asked.js';
import { hidden, type Shown } from './support/browser.js';
import { RefundDesk } from './support/refund-desk.js';

const DAY = 86_400_000;
let desk: RefundDesk;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  desk = await RefundDesk.open({ ports: { clock }, delegation: '14d', tenant: 'org' });
});
afterEach(() => desk.close());

/** What a person sends with the form of the inbox. */
async function send(user: string, fields: Record<string, string>): Promise<Shown> {
  const { browser, html } = await inboxOf(desk, user);
  const form = html.slice(html.indexOf('<section>'));
  return browser.open(`${desk.url}/delegates`, { token: hidden(form, 'token'), ...fields });
}
const name = (user: string, subject: string, days = '7') => send(user, { subject, days });
const outcomes = () => desk.history.map(({ outcome }) => outcome);

test('one form that is sent eight times at once makes one delegate, and one record', async () => {
  const { browser, html } = await inboxOf(desk, 'bea');
  const form = { token: hidden(html.slice(html.indexOf('<section>')), 'token'), subject: 'cleo', days: '7' };
  await Promise.all(Array.from({ length: 8 }, () => browser.open(`${desk.url}/delegates`, form)));
  expect((await inboxOf(desk, 'bea')).html.match(/name="end"/g)).toHaveLength(1);
  expect(outcomes()).toEqual(['delegated']);
});

test('eight forms at once make no more delegates than are possible', async () => {
  const { browser, html } = await inboxOf(desk, 'bea');
  const token = hidden(html.slice(html.indexOf('<section>')), 'token');
  const name = (at: number) => browser.open(`${desk.url}/delegates`, { token, subject: `d${at}`, days: '7' });
  const shown = await Promise.all(Array.from({ length: 8 }, (_, at) => name(at)));
  expect(shown.filter(({ status }) => status === 400)).toHaveLength(3);
  expect((await inboxOf(desk, 'bea')).html.match(/name="end"/g)).toHaveLength(5);
});

test('a delegate approves in place of the approver, and the log says who for whom', async () => {
  expect((await inboxOf(desk, 'cleo')).html).not.toContain('Delegates');
  expect((await name('bea', 'cleo')).html).toMatch(/cleo, until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  const { url, resume } = await ask(desk, 'ann', 'refund');
  const { html, items } = await inboxOf(desk, 'cleo');
  expect(html).toContain('bea (bea) has named you as delegate, until ');
  expect(items[0]!.html).toContain('<dt>You answer in place of</dt><dd><pre>bea</pre></dd>');
  await answerAs('cleo', url, 'approve');
  await resume();
  expect(desk.refunds).toHaveLength(1);
  const confirmed = desk.audit.find(({ event }) => event === 'confirmed');
  expect(confirmed).toMatchObject({ approver: { subject: 'cleo' } });
  const [delegated, , approved] = desk.history;
  expect(delegated).toMatchObject({
    outcome: 'delegated',
    principal: { subject: 'bea', tenant: 'acme' },
    approver: { subject: 'cleo' },
    arguments: { scopes: ['refunds:approve'] },
  });
  expect(approved).toMatchObject({
    outcome: 'approved',
    principal: { subject: 'ann' },
    approver: { subject: 'cleo' },
    arguments: { delegation: delegated!['arguments'].delegation },
  });
  // The one who has named somebody still may approve.
  const other = await ask(desk, 'ann', 'refund');
  expect((await answerAs('bea', other.url, 'approve')).html).toContain('The call runs now');
});

test('it ends after its time, and when the approver ends it, at once', async () => {
  await name('bea', 'cleo', '1');
  const { url } = await ask(desk, 'ann', 'refund');
  expect((await inboxOf(desk, 'cleo')).items).toHaveLength(1);
  const { html } = await inboxOf(desk, 'bea');
  await send('bea', { end: /name="end" value="([^"]+)"/.exec(html)![1]! });
  expect((await inboxOf(desk, 'cleo')).items).toEqual([]);
  expect((await answerAs('cleo', url, 'approve')).status).toBe(403);
  expect(outcomes()).toEqual(['delegated', 'opened', 'delegation ended']);
  await name('bea', 'cleo', '1');
  clock.advance(DAY);
  await ask(desk, 'ann', 'refund');
  expect((await inboxOf(desk, 'cleo')).html).not.toContain('has named you');
  expect((await inboxOf(desk, 'cleo')).items).toEqual([]);
});

test.each([
  ['the caller, as the delegate', 'bea', 'ann', 'ann', 'ann'],
  ['the delegate of the caller', 'bea', 'cleo', 'bea', 'cleo'],
  ['somebody whom the delegate names', 'bea', 'cleo', 'ann', 'eli-of-cleo'],
])('%s cannot approve', async (_, from, to, caller, user) => {
  await name(from, to);
  const { url } = await ask(desk, caller, 'refund');
  if (user === 'eli-of-cleo') {
    // A delegate has no form: the right of somebody else is none to give on.
    const { browser, html } = await inboxOf(desk, to);
    expect(html).toContain('has named you');
    expect(html).not.toContain('name="subject"');
    const form = { token: hidden(html, 'token'), subject: 'ann', days: '1' };
    expect((await browser.open(`${desk.url}/delegates`, form)).status).toBe(403);
    return;
  }
  expect((await answerAs(user, url, 'approve')).status).toBe(403);
  expect((await inboxOf(desk, user)).items).toEqual([]);
});

test('two rights of one person, and two people with one right, count once', async () => {
  await name('bea', 'cleo');
  clock.advance(1);
  await name('eli', 'cleo');
  const { url } = await ask(desk, 'ann', 'refund_two');
  // Cleo for Bea. Then Cleo for Eli, and Bea herself, are no second person.
  for (const user of ['cleo', 'cleo', 'bea'])
    expect((await answerAs(user, url, 'approve')).html).toContain('It waits for one more person.');
  expect((await answerAs('eli', url, 'approve')).html).toContain('The call runs now');
});

test.each([
  [{ subject: 'bea', days: '1' }, 'You cannot be your own delegate'],
  [{ subject: ' ', days: '1' }, 'The form names no person'],
  [{ subject: 'x'.repeat(256), days: '1' }, 'The form names no person'],
  [{ subject: 'cleo', days: '15' }, 'A delegate is named for 1 to 14 days'],
  [{ subject: 'cleo', days: '0' }, 'A delegate is named for 1 to 14 days'],
  [{ subject: 'cleo', days: '1.5' }, 'A delegate is named for 1 to 14 days'],
  [{ subject: 'cleo', days: 'Infinity' }, 'A delegate is named for 1 to 14 days'],
])('%j names nobody', async (fields, why) => {
  const { html, status } = await send('bea', fields);
  expect([status, html.includes(why)]).toEqual([400, true]);
  expect(desk.history).toEqual([]);
});

test('one person has five delegates at most, and naming one again changes the time', async () => {
  for (const subject of ['cleo', 'd1', 'd2', 'd3', 'd4', 'd4']) await name('bea', subject);
  expect((await name('bea', 'd5')).html).toContain('You have 5 delegates');
  const { html } = await inboxOf(desk, 'bea');
  expect(html.match(/name="end"/g)).toHaveLength(5);
});

test('a delegate of another tenant has the same subject and no right', async () => {
  await name('bea', 'dora');
  await ask(desk, 'ann', 'refund');
  const { html, items } = await inboxOf(desk, 'dora');
  expect([items, html.includes('has named you')]).toEqual([[], false]);
});

test('nobody ends the delegation of somebody else, or names one from another site', async () => {
  await name('bea', 'cleo');
  const { browser, html } = await inboxOf(desk, 'bea');
  const id = /name="end" value="([^"]+)"/.exec(html)![1]!;
  await send('eli', { end: id });
  expect((await inboxOf(desk, 'cleo')).html).toContain('has named you');
  const token = hidden(html.slice(html.indexOf('<section>')), 'token');
  const evil = { origin: 'https://evil.example' };
  expect((await browser.open(`${desk.url}/delegates`, { token, end: id }, evil)).status).toBe(403);
  expect((await browser.open(`${desk.url}/delegates`, { token: 'x', end: id })).status).toBe(403);
});

test('without the option there are no delegates', async () => {
  const plain = await RefundDesk.open({ issuer: desk.issuer, url: desk.url });
  expect((await inboxOf(plain, 'bea')).html).toContain('What waits for you');
  await plain.close();
  const alone = await RefundDesk.open();
  expect((await inboxOf(alone, 'bea')).html).not.toContain('Delegates');
  const response = await fetch(`${alone.url}/delegates`, { method: 'POST' });
  expect(response.status).toBe(404);
  await alone.close();
});
