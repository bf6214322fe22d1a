import { Confirm } from '@toolwright/core';
import { MemoryRecordStore, type RecordStore } from '@toolwright/core/ports';
import { ManualClock } from '@toolwright/testing';
import { ApprovalRecords } from '../src/approval/approval-records.js';
import { withApproval } from '../src/approval/who-may-answer.js';
import { answerAs, ask, inboxOf, withTime } from './support/asked.js';
import { Browser, hidden } from './support/browser.js';
import { RefundDesk } from './support/refund-desk.js';
import { type Json, Wire } from './support/wire.js';

let desk: RefundDesk;
const clock = new ManualClock();
beforeAll(async () => {
  desk = await RefundDesk.open({ ports: { clock } });
});
afterAll(() => desk.close());
beforeEach(() => {
  desk.refunds.length = 0;
  desk.audit.length = 0;
  desk.history.length = 0;
});

const approvers = () =>
  desk.audit
    .filter(({ event }) => event === 'confirmed')
    .map(({ approver }) => (approver as { subject: string }).subject);
const outcomes = (id?: string) =>
  desk.history
    .filter(({ arguments: fields }) => id === undefined || fields.question === id)
    .map(({ outcome, approver }) => [outcome, approver?.subject]);

test('a call that two people have to approve runs when the second one has, and the log names both', async () => {
  const { url, resume } = await ask(desk, 'ann', 'refund_two');
  const first = await answerAs('bea', url, 'approve');
  expect(first.html).toContain('It waits for one more person.');
  expect(desk.refunds).toEqual([]);
  // It waits for others only, and they see how far it is.
  expect((await inboxOf(desk, 'bea')).items).toEqual([]);
  const { items } = await inboxOf(desk, 'eli');
  expect(items[0]!.html).toContain('<dt>Approved by</dt><dd><pre>1 of 2 people</pre></dd>');
  expect((await answerAs('eli', url, 'approve')).html).toContain('The call runs now, once');
  await resume();
  expect(desk.refunds).toHaveLength(1);
  expect(approvers()).toEqual(['bea', 'eli']);
  expect(outcomes()).toEqual([
    ['opened', undefined],
    ['approved', 'bea'],
    ['approved', 'eli'],
  ]);
  expect(desk.history.map(({ arguments: fields }) => fields.approvals)).toEqual([0, 1, 2]);
});

test('and so does one in a session', async () => {
  const wire = await Wire.session(desk.server, desk.principal('ann'));
  let answered!: Promise<unknown>;
  wire.answer = ({ params }) => {
    const { url } = params as { url: string };
    answered = answerAs('bea', url, 'approve').then(() => answerAs('eli', url, 'approve'));
    return { action: 'accept' };
  };
  const { result } = await wire.request('tools/call', { name: 'refund_two', arguments: { order: 'A1' } });
  await answered;
  expect((result as Json)['content'][0].text).toBe('refunded');
  wire.close();
});

test('one person counts once, however often, from however many browsers', async () => {
  const { url } = await ask(desk, 'ann', 'refund_two');
  for (let at = 0; at < 3; at++)
    expect((await answerAs('bea', url, 'approve')).html).toContain('It waits for one more person.');
  const browser = new Browser();
  const { html } = await browser.openAs('bea', url);
  expect(html).toContain('You have approved it.');
  expect(html).not.toContain('value="approve"');
  expect(outcomes()).toEqual([
    ['opened', undefined],
    ['approved', 'bea'],
  ]);
});

test('the caller never counts, even with the scope', async () => {
  const { url } = await ask(desk, 'bea', 'refund_two');
  const { html, status } = await new Browser().openAs('bea', url);
  expect([status, html.includes('You have asked for it yourself')]).toEqual([403, true]);
  expect((await inboxOf(desk, 'bea')).items).toEqual([]);
});

test.each(['bea', 'eli'])('a refusal of %s ends it after the approval of bea', async (user) => {
  const { url, resume } = await ask(desk, 'ann', 'refund_two');
  await answerAs('bea', url, 'approve');
  expect((await answerAs(user, url, 'refuse')).html).toContain('<h1>Refused</h1>');
  expect((await answerAs('eli', url, 'approve')).html).not.toContain('The call runs now');
  expect(JSON.stringify(await resume())).toContain('A person has refused refund_two');
  expect(desk.refunds).toEqual([]);
});

test('of an approval and a refusal at the same time, both are kept or one is: the call never runs after a refusal', async () => {
  for (let at = 0; at < 10; at++) {
    const { url, resume } = await ask(desk, 'ann', 'refund_two');
    await answerAs('bea', url, 'approve');
    await Promise.all([answerAs('eli', url, 'approve'), answerAs('bea', url, 'refuse')]);
    const isRefused = desk.history.some(({ outcome }) => outcome === 'refused');
    await resume();
    expect([isRefused, desk.refunds.length]).toEqual([isRefused, isRefused ? 0 : 1]);
    desk.refunds.length = 0;
    desk.history.length = 0;
  }
});

test('an approval that another process writes between reading and writing is not lost, and a refusal there wins', async () => {
  const store = new MemoryRecordStore(clock);
  /** What another process does before the next write of this one. */
  let before: (() => Promise<unknown>) | undefined;
  const slow: RecordStore = {
    get: (...given) => store.get(...given),
    list: (...given) => store.list(...given),
    delete: (...given) => store.delete(...given),
    async put(...given) {
      const other = before;
      before = undefined;
      await other?.();
      return store.put(...given);
    },
  };
  const keys = ['a secret that all processes of the server have'];
  const [here, there] = [slow, store].map((each) => new ApprovalRecords(each, clock, keys));
  const open = () =>
    there!.open({
      binding: 'b',
      operation: { kind: 'tool', name: 'refund' },
      message: 'Refund?',
      shown: {},
      caller: { subject: 'ann' },
      rule: { scope: 'refunds:approve', notCaller: true, count: 2 },
      opened: clock.now(),
      expires: clock.now() + 1_000,
      approvals: [],
    });
  const approve = (records: ApprovalRecords, id: string, subject: string) =>
    records.change(id, 'open', (record) => withApproval(record, { by: { subject } }));
  const first = await open();
  before = () => approve(there!, first, 'bea');
  expect(await approve(here!, first, 'eli')).toMatchObject({
    status: 'approved',
    approvals: [{ by: { subject: 'bea' } }, { by: { subject: 'eli' } }],
  });
  const second = await open();
  before = () => there!.change(second, 'open', { status: 'refused' });
  expect(await approve(here!, second, 'eli')).toBeUndefined();
  expect(await there!.find(second)).toMatchObject({ status: 'refused', approvals: [] });
});

test('too few in time: the model reads how many, and the log says that it has expired, once', async () => {
  const { url, id, resume } = await ask(desk, 'ann', 'refund_two');
  await answerAs('bea', url, 'approve');
  clock.advance(590_000);
  const ended = await withTime(clock, resume());
  expect(JSON.stringify(ended)).toContain('Only 1 of 2 people have approved refund_two in time.');
  expect(outcomes(id)).toEqual([
    ['opened', undefined],
    ['approved', 'bea'],
    ['expired', undefined],
  ]);
});

test('a question whose caller never comes back is recorded as expired, too', async () => {
  const { id } = await ask(desk, 'ann', 'refund_two');
  clock.advance(600_000);
  for (let at = 0; at < 20; at++) await new Promise((resolve) => setImmediate(resolve));
  expect(outcomes(id)).toEqual([
    ['opened', undefined],
    ['expired', undefined],
  ]);
});

test.each([0, 21, 1.5, '2'])('%j people are a problem', (count) => {
  const policies = [Confirm.entry('Sure?', { by: 'page', approver: { count } as never })];
  const add = () => desk.server.tools.add({ name: 'odd', description: 'Odd.', policies, handler: () => 'x' });
  expect(add).toThrow('must be an integer from 1 to 20');
});

test('the caller as one of several is a problem', () => {
  const policies = [Confirm.entry('Sure?', { by: 'page', approver: { count: 2, notCaller: false } })];
  const add = () => desk.server.tools.add({ name: 'odd', description: 'Odd.', policies, handler: () => 'x' });
  expect(add).toThrow('the caller is never one of several who approve');
});

test('an approval that was given is bound to the number of people that it needed', async () => {
  const { url } = await ask(desk, 'ann', 'refund_two');
  const { html } = await new Browser().openAs('bea', url);
  expect(html).toContain('if 2 people approve it');
  expect(hidden(html, 'token')).not.toBe('');
});
