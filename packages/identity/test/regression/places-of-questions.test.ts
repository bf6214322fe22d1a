import { MemoryClaimStore, MemoryRecordStore, systemClock } from '@toolwright/core/ports';
import { until } from '../../../../.ci/test/support/until.js';
import { GrantDesk } from '../support/grant-desk.js';
import { RefundDesk } from '../support/refund-desk.js';
import { type Json, Wire } from '../support/wire.js';

// One caller has at most 20 open questions at each process. A question that is over takes no place.

const secrets = ['a secret that all processes of the server have'];
const MORE_THAN_FIT = 21;

const stores = () => ({
  claims: new MemoryClaimStore(systemClock),
  records: new MemoryRecordStore(systemClock),
});

const cancel = { method: 'notifications/cancelled' };

/** The first round of a call: what is asked, or what the tool says instead. */
async function begin(wire: Wire, tool: string, args: Json) {
  const { result } = await wire.call(tool, args);
  const { inputRequests, requestState, content } = result as Json;
  if (!inputRequests) throw new Error(content[0].text as string);
  return { key: Object.keys(inputRequests as Json)[0]!, requestState: requestState as string };
}

/** Begins a call in a session, and gives it up when the client is asked. */
async function giveUpInSession(wire: Wire, tool: string, args: Json): Promise<void> {
  await new Promise<void>((resolve) => {
    wire.answer = () => {
      resolve();
      return undefined;
    };
    void wire.request('tools/call', { name: tool, arguments: args });
  });
  wire.send({ ...cancel, params: { requestId: wire.lastId } });
}

/** Begins a call of 2026-07-28, and gives it up while it waits for the page. */
async function giveUpRound(wire: Wire, tool: string, args: Json): Promise<void> {
  const { key, requestState } = await begin(wire, tool, args);
  void wire.call(tool, args, { requestState, inputResponses: { [key]: { action: 'accept' } } });
  await new Promise((resolve) => setImmediate(resolve));
  wire.send({ ...cancel, params: { requestId: wire.lastId } });
}

const kinds = [
  { kind: 'approvals', open: RefundDesk.open, tool: 'refund', args: { order: 'A1' } },
  { kind: 'grants', open: GrantDesk.open, tool: 'calendar', args: {} },
];

describe.each(kinds)('places of $kind', ({ open, tool, args }) => {
  let one: RefundDesk | GrantDesk;
  const ended = () => one.audit.filter(({ event }) => event === 'outcome' || event === 'denied').length;

  beforeAll(async () => {
    one = await open({ secrets, stores: stores() });
  });
  afterAll(() => one.close());

  test.each([
    ['in a session', giveUpInSession],
    ['on 2026-07-28', giveUpRound],
  ])('calls that the client gives up %s keep none', async (where, giveUp) => {
    const ann = one.principal('ann');
    for (let at = 0; at < MORE_THAN_FIT; at++) {
      const wire = where === 'in a session' ? await Wire.session(one.server, ann) : new Wire(one.server, ann);
      const before = ended();
      await giveUp(wire, tool, args);
      await until(() => ended() > before);
      wire.close();
    }
    await begin(new Wire(one.server, one.principal('ann')), tool, args);
  });
});

test('an answer in another process frees the place in the one that asked', async () => {
  const shared = { secrets, stores: stores() };
  const one = await RefundDesk.open(shared);
  const two = await RefundDesk.open({ ...shared, issuer: one.issuer, url: one.url });
  const [here, there] = [one, two].map(({ server }) => new Wire(server, one.principal('ann')));
  for (let at = 0; at < MORE_THAN_FIT; at++) {
    const { key, requestState } = await begin(here!, 'refund', { order: `A${at}` });
    const answer = { requestState, inputResponses: { [key]: { action: 'decline' } } };
    await there!.call('refund', { order: `A${at}` }, answer);
  }
  await begin(here!, 'refund', { order: 'the last one' });
  await two.close();
  await one.close();
});

test('questions that are open take a place, however many are asked at once', async () => {
  const desk = await RefundDesk.open();
  const wire = new Wire(desk.server, desk.principal('bea'));
  const asked = await Promise.allSettled(
    Array.from({ length: MORE_THAN_FIT + 4 }, (_, at) => begin(wire, 'refund', { order: `B${at}` })),
  );
  expect(asked.filter(({ status }) => status === 'rejected')).toHaveLength(5);
  await expect(begin(wire, 'refund', { order: 'one more' })).rejects.toThrow('20 questions of this user');
  await desk.close();
});
