import { MemoryClaimStore, MemoryRecordStore } from '@toolwright/core/ports';
import { ManualClock } from '@toolwright/testing';
import { Browser, hidden } from './support/browser.js';
import { GrantDesk, grantOnPage } from './support/grant-desk.js';
import { RefundDesk } from './support/refund-desk.js';
import { Wire, type Json } from './support/wire.js';

const secrets = ['a secret that all processes of the server have'];

/** Lets everything go on that waits for no time: the clocks of these tests stand still. */
const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** The question of a round, and what its answer needs. */
function questionIn({ result }: Json) {
  const { inputRequests, requestState } = result as Json;
  const [[key, { params }]] = Object.entries(inputRequests as Json) as [[string, Json]];
  return {
    url: params['url'] as string,
    given: { requestState, inputResponses: { [key]: { action: 'accept' } } },
  };
}

describe('an approval that is open when its process stops', () => {
  const clock = new ManualClock();
  const order = { order: 'A1' };
  let one: RefundDesk;
  let two: RefundDesk;

  beforeEach(async () => {
    const stores = { claims: new MemoryClaimStore(clock), records: new MemoryRecordStore(clock) };
    two = await RefundDesk.open({ secrets, ports: { clock }, stores });
    one = await RefundDesk.open({ secrets, ports: { clock }, stores, issuer: two.issuer, url: two.url });
  });
  afterEach(async () => {
    await one.close();
    await two.close();
  });

  const approve = async (url: string) => {
    const browser = new Browser();
    const { html } = await browser.openAs('bea', url);
    return (await browser.open(url, { token: hidden(html, 'token'), decision: 'approve' })).html;
  };

  test.each(['refund', 'refund_later'])(
    'is given back at once on 2026-07-28, stays open, and counts at another process: %s',
    async (tool) => {
      const extensions = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
      const [here, there] = [one, two].map(
        (desk) => new Wire(desk.server, desk.principal('ann'), extensions),
      );
      const { url, given } = questionIn(await here!.call(tool, order));
      const waiting = here!.call(tool, order, given);
      await turns();
      expect(await one.server.drain()).toBe(true);
      const back = questionIn(await waiting);
      expect(back.url).toBe(url);
      expect(await approve(url)).toContain('The call runs now');
      const { result } = await there!.call(tool, order, back.given);
      await turns();
      expect((result as Json)['isError']).not.toBe(true);
      expect([one.refunds, two.refunds]).toEqual([[], [order]]);
      expect(one.audit.map(({ event }) => event)).toEqual(['intent']);
      expect([...new Set([...one.audit, ...two.audit].map(({ callId }) => callId))]).toHaveLength(1);
      // The approval of this call is used up, and so is the question.
      expect((await there!.call(tool, order, back.given))['error']).toBeDefined();
    },
  );

  test('that was given while the process stops still counts there', async () => {
    const here = new Wire(one.server, one.principal('ann'));
    const { url, given } = questionIn(await here.call('refund', order));
    await approve(url);
    const answer = here.call('refund', order, given);
    const drained = one.server.drain();
    expect(((await answer)['result'] as Json)['content'][0].text).toBe('refunded');
    expect(await drained).toBe(true);
    expect(one.refunds).toEqual([order]);
  });

  test('ends a call of an older revision, which says that nothing was done, and the page says so, too', async () => {
    const wire = await Wire.session(one.server, one.principal('ann'));
    let asked!: Json;
    wire.answer = (question) => {
      asked = question['params'] as Json;
      return { action: 'accept' };
    };
    const answer = wire.request('tools/call', { name: 'refund', arguments: order });
    await turns();
    expect(await one.server.drain()).toBe(true);
    expect((await answer)['result']).toMatchObject({
      isError: true,
      content: [
        {
          text: 'The server is stopping and ended the call of refund while it waited for an answer. Nothing was done. It is safe to try again.',
        },
      ],
    });
    await turns();
    const { html } = await new Browser().openAs('bea', asked['url'] as string);
    expect(html).toContain('The program no longer waits for an answer.');
    expect(one.audit.at(-1)).toMatchObject({ outcome: 'cancelled' });
    expect(one.refunds).toEqual([]);
  });
});

test('a grant that somebody is asked for when a process stops is given to the call at another process', async () => {
  const clock = new ManualClock();
  const stores = { claims: new MemoryClaimStore(clock), records: new MemoryRecordStore(clock) };
  const two = await GrantDesk.open({ secrets, ports: { clock }, stores });
  const one = await GrantDesk.open({ secrets, ports: { clock }, stores, beside: two });
  const [here, there] = [one, two].map((desk) => new Wire(desk.server, desk.principal('ann')));
  const { url, given } = questionIn(await here!.call('calendar', {}));
  const waiting = here!.call('calendar', {}, given);
  await turns();
  expect(await one.server.drain()).toBe(true);
  const back = questionIn(await waiting);
  expect(back.url).toBe(url);
  await grantOnPage(new Browser(), { url, subject: 'ann', account: 'ann@home' });
  const { result } = await there!.call('calendar', {}, back.given);
  expect((result as Json)['content'][0].text).toContain('ann@home');
  await one.close();
  await two.close();
});
