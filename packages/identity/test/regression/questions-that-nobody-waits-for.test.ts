import { MemoryRecordStore } from '@toolwright/core/ports';
import { ManualClock } from '@toolwright/testing';
import { subjectSource } from '../../src/commands.js';
import { answerAs, ask, inboxOf } from '../support/asked.js';
import { Browser } from '../support/browser.js';
import { RefundDesk } from '../support/refund-desk.js';

const secrets = ['a secret that all processes of the server have'];
let records: MemoryRecordStore;
let desk: RefundDesk;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  records = new MemoryRecordStore(clock);
  desk = await RefundDesk.open({ ports: { clock }, secrets, stores: { records } });
});
afterEach(() => desk.close());

const outcomes = () => desk.history.map(({ outcome }) => outcome);

async function erase(subject: string): Promise<void> {
  const place = { stores: [{ records }], secrets, database: undefined, taskSchema: undefined };
  const source = await subjectSource.open({ ...place, server: undefined, proxy: undefined });
  for (const kind of source.records) await kind.erase({ issuer: desk.issuer.issuer, subject });
}

test('the call of a question that was erased ends without doing anything, and the audit log says so', async () => {
  const { resume } = await ask(desk, 'ann', 'refund');
  await erase('ann');
  const { isError, content } = await resume();
  expect([isError, content[0].text]).toEqual([
    true,
    'The question about refund was erased, so nobody has approved it. Nothing was done. Do not try again unless the user asks for it.',
  ]);
  expect(outcomes()).toEqual(['opened', 'erased']);
  expect(desk.history[1]).toMatchObject({ name: 'refund', principal: { subject: 'ann' } });
  expect(desk.refunds).toEqual([]);
});

test('a call that waits goes on when the store was away in between', async () => {
  const { url, resume } = await ask(desk, 'ann', 'refund');
  const get = records.get.bind(records);
  let failed = 0;
  records.get = () => {
    failed++;
    throw new Error('The store is away.');
  };
  const waiting = resume();
  for (let looks = 0; failed < 2; looks++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (failed === 1) clock.advance(1_000);
    if (looks > 1_000) throw new Error('The call did not look.');
  }
  records.get = get;
  await answerAs('bea', url, 'approve');
  expect((await waiting).isError).not.toBe(true);
  expect(desk.refunds).toHaveLength(1);
});

test('people read that the server cannot answer while its store is away, and that the address stays', async () => {
  const { url } = await ask(desk, 'ann', 'refund');
  const browser = new Browser();
  await browser.openAs('bea', url);
  const get = records.get.bind(records);
  records.get = () => {
    throw new Error('The store is away.');
  };
  const shown = await browser.open(url);
  expect([shown.status, shown.html]).toEqual([503, expect.stringContaining('The server cannot answer now')]);
  expect(shown.html).not.toContain('The store is away');
  records.get = get;
  expect((await browser.open(url)).status).toBe(200);
});

test('an approval of a question whose client has gone does nothing, also for the same call again', async () => {
  const gone = await ask(desk, 'ann', 'refund');
  const again = await ask(desk, 'ann', 'refund');
  expect(again.id).not.toBe(gone.id);
  expect((await inboxOf(desk, 'bea')).items).toHaveLength(2);
  await answerAs('bea', gone.url, 'approve');
  await answerAs('bea', again.url, 'refuse');
  expect((await again.resume()).content[0].text).toContain('A person has refused');
  expect(desk.refunds).toEqual([]);
});
