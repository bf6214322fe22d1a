import { ManualClock } from '@toolwright/testing';
import { count, size } from '../../../.ci/test/support/proof.js';
import { Browser, hidden } from './support/browser.js';
import { RefundDesk } from './support/refund-desk.js';
import { Wire, type Json } from './support/wire.js';

// A client does what it can to get a call approved that nobody has approved on the page.
const PER_ATTACK = 4 * size;
const secrets = ['a secret of the server that nobody else knows'];
const clock = new ManualClock();
let desk: RefundDesk;
/** The browser of Bea, who may approve. She has signed in. */
const bea = new Browser();
let attempts = 0;

beforeAll(async () => {
  desk = await RefundDesk.open({ secrets, ports: { clock } });
});
afterAll(() => desk.close());

const args = { order: 'A1' };
const accept = { action: 'accept', content: { confirm: true, approved: true, decision: 'approve' } };

interface Asked {
  readonly wire: Wire;
  readonly url: string;
  readonly id: string;
  readonly key: string;
  readonly requestState: string;
}

/** The first round of a call. */
async function ask(subject = 'ann', tool = 'refund', given: Json = args): Promise<Asked> {
  const wire = new Wire(desk.server, desk.principal(subject));
  const { result } = await wire.call(tool, given);
  const [key, { params }] = Object.entries(result.inputRequests as Json)[0]! as [string, Json];
  const { url } = params as { url: string };
  return { wire, url, id: url.split('/').at(-1)!, key, requestState: result.requestState as string };
}

/** The second round, however long it waits for the page. */
async function resume(
  { wire, key, requestState }: Asked,
  tool = 'refund',
  given: Json = args,
): Promise<Json> {
  return withTime(wire.call(tool, given, { requestState, inputResponses: { [key]: accept } }));
}

/** Lets time pass until there is an answer. */
async function withTime<T>(answer: Promise<T>, ms = 5_000): Promise<T> {
  let isThere = false;
  const done = answer.finally(() => (isThere = true));
  while (!isThere) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(ms);
  }
  return done;
}

/** The form that Bea sees. */
async function formOf(url: string): Promise<string> {
  const { html } = await bea.openAs('bea', url);
  const token = hidden(html, 'token');
  expect(token).not.toBe('');
  return token;
}

/** Bea approves, really. */
async function approve(url: string): Promise<void> {
  await bea.open(url, { token: await formOf(url), decision: 'approve' });
}

const beaCookie = (url: string) => {
  const jar = bea.cookies.get(new URL(url).origin)!;
  return `tw_page=${jar.get('tw_page')!.value}`;
};

const post = (url: string, headers: Record<string, string>, body: Record<string, string>) =>
  fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(body) });

const attacks: Record<string, (at: number) => Promise<void>> = {
  async 'accepts by itself'() {
    await resume(await ask());
  },
  async 'answers a question that was never asked'() {
    const wire = new Wire(desk.server, desk.principal('ann'));
    await wire.call('refund', args, { inputResponses: { 'toolwright.approval.0': accept } });
  },
  async 'invents a state'(at) {
    const { wire, key, requestState } = await ask();
    const bytes = Buffer.from(requestState, 'base64url');
    bytes[at % bytes.length]! ^= 1;
    const forged = { requestState: bytes.toString('base64url'), inputResponses: { [key]: accept } };
    await wire.call('refund', args, forged);
  },
  async 'swaps the arguments after the approval'(at) {
    const asked = await ask();
    await approve(asked.url);
    await resume(asked, 'refund', { order: `B${at}` });
  },
  async 'adds an argument after the approval'() {
    const asked = await ask();
    await approve(asked.url);
    await resume(asked, 'refund', { ...args, amount: 1_000_000 });
  },
  async 'takes the approval to another operation'() {
    const asked = await ask();
    await approve(asked.url);
    await resume(asked, 'refund_scoped');
  },
  async 'takes the approval of another caller'() {
    const asked = await ask();
    await approve(asked.url);
    const wire = new Wire(desk.server, desk.principal('mallory'));
    await resume({ ...asked, wire });
  },
  async 'takes the approval of its caller to another client'() {
    const asked = await ask();
    await approve(asked.url);
    const wire = new Wire(desk.server, { ...desk.principal('ann'), clientId: 'another' });
    await resume({ ...asked, wire });
  },
  async 'uses the approval of one call for another call'() {
    const [first, second] = [await ask(), await ask()];
    await approve(first.url);
    await resume({ ...second, key: first.key });
  },
  async 'approves as the caller where four eyes are wanted'() {
    const { url, id } = await ask('bea');
    const own = await ask('bea', 'refund_own');
    const token = await formOf(own.url);
    await bea.open(url, { token, decision: 'approve' });
    await bea.open(`${desk.url}/${id}`, { token, decision: 'approve' });
  },
  async 'posts without a session'() {
    const asked = await ask();
    const token = await formOf(asked.url);
    expect((await post(asked.url, {}, { token, decision: 'approve' })).status).toBe(403);
    await resume(asked);
  },
  async 'posts with the access token of the caller'() {
    const asked = await ask();
    const bearer = await desk.issuer.token('bea');
    const headers = { authorization: `Bearer ${bearer}`, cookie: `tw_page=${bearer}` };
    expect((await post(asked.url, headers, { decision: 'approve' })).status).toBe(403);
    await resume(asked);
  },
  async 'has the browser post from another site'() {
    const asked = await ask();
    const token = await formOf(asked.url);
    const cookie = beaCookie(asked.url);
    const headers = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const each of headers)
      expect(
        (await post(asked.url, { cookie, ...each } as never, { token, decision: 'approve' })).status,
      ).toBe(403);
    await resume(asked);
  },
  async 'has the browser post without the token, or with that of another question'(at) {
    const [asked, other] = [await ask(), await ask()];
    const tokens = ['', 'x'.repeat(43), await formOf(other.url), `${at}`];
    const cookie = beaCookie(asked.url);
    for (const token of tokens)
      expect((await post(asked.url, { cookie }, { token, decision: 'approve' })).status).toBe(403);
    await resume(asked);
  },
  async 'forges a session'(at) {
    const asked = await ask();
    const token = await formOf(asked.url);
    const sealed = Buffer.from(beaCookie(asked.url).slice('tw_page='.length), 'base64url');
    sealed[at % sealed.length]! ^= 1;
    for (const value of [sealed.toString('base64url'), asked.requestState, '', '{}', asked.id])
      expect(
        (await post(asked.url, { cookie: `tw_page=${value}` }, { token, decision: 'approve' })).status,
      ).toBe(403);
    await resume(asked);
  },
  async 'uses the cookie of a departure as a session'() {
    const asked = await ask();
    const away = await fetch(asked.url, { redirect: 'manual' });
    const [, value] = /=([^;]+)/.exec(away.headers.getSetCookie()[0]!)!;
    expect((await post(asked.url, { cookie: `tw_page=${value}` }, { decision: 'approve' })).status).toBe(403);
    await resume(asked);
  },
  async 'comes back from the issuer with a code of its own'(at) {
    const asked = await ask();
    const away = await fetch(asked.url, { redirect: 'manual' });
    const [cookie] = away.headers.getSetCookie()[0]!.split(';');
    const state = new URL(away.headers.get('location')!).searchParams.get('state')!;
    const back = `${desk.url}/callback?code=invented-${at}&iss=${desk.issuer.issuer}`;
    const statuses = [
      (await fetch(`${back}&state=${state}`, { redirect: 'manual', headers: { cookie: cookie! } })).status,
      (await fetch(`${back}&state=${state}`, { redirect: 'manual' })).status,
      (await fetch(`${back}&state=other`, { redirect: 'manual', headers: { cookie: cookie! } })).status,
    ];
    expect(statuses).toEqual([502, 400, 400]);
    await resume(asked);
  },
  async 'gets a refused question approved'() {
    const asked = await ask();
    const token = await formOf(asked.url);
    await bea.open(asked.url, { token, decision: 'refuse' });
    await bea.open(asked.url, { token, decision: 'approve' });
    await resume(asked);
  },
  async 'gets a question approved after its end'() {
    const asked = await ask();
    const token = await formOf(asked.url);
    clock.advance(600_000);
    await bea.openAs('bea', asked.url);
    await bea.open(asked.url, { token, decision: 'approve' });
    await resume(asked);
  },
  async 'declines, and comes back when it was approved'() {
    const asked = await ask();
    const { wire, requestState, key } = asked;
    await wire.call('refund', args, { requestState, inputResponses: { [key]: { action: 'decline' } } });
    await bea.openAs('bea', asked.url);
    await resume(asked);
  },
  async 'accepts in a session'() {
    const wire = await Wire.session(desk.server, desk.principal('ann'));
    wire.answer = () => accept;
    await withTime(wire.request('tools/call', { name: 'refund', arguments: args }), 60_000);
    wire.close();
  },
  async 'says in a session that the page is done'() {
    const wire = await Wire.session(desk.server, desk.principal('ann'));
    wire.answer = ({ params }) => {
      const { elicitationId } = params as Json;
      wire.send({ method: 'notifications/elicitation/complete', params: { elicitationId } });
      return accept;
    };
    await withTime(wire.request('tools/call', { name: 'refund', arguments: args }), 60_000);
    wire.close();
  },
  async 'answers in a session twice, and in the name of another session'() {
    const wire = await Wire.session(desk.server, desk.principal('ann'));
    const other = await Wire.session(desk.server, desk.principal('ann'));
    wire.answer = ({ id }) => {
      for (const each of [wire, other, wire]) each.send({ id, result: accept });
      return accept;
    };
    await withTime(wire.request('tools/call', { name: 'refund', arguments: args }), 60_000);
    [wire, other].forEach((each) => each.close());
  },
  async 'opens the page itself, and reads a form in it'() {
    const asked = await ask();
    const browser = new Browser();
    const { html, status } = await browser.openAs('ann', asked.url);
    expect([status, hidden(html, 'token')]).toEqual([403, '']);
    await browser.open(asked.url, { decision: 'approve' });
    await resume(asked);
  },
  async 'sends the sealed cookie of another server'() {
    const asked = await ask();
    const token = await formOf(asked.url);
    const away = await RefundDesk.open({
      secrets: ['another server has another secret'],
      issuer: desk.issuer,
      url: desk.url,
    });
    const foreign = new Wire(away.server, desk.principal('ann'));
    const { result } = await foreign.call('refund', args);
    const { requestState } = result as { requestState: string };
    expect(
      (await post(asked.url, { cookie: `tw_page=${requestState}` }, { token, decision: 'approve' })).status,
    ).toBe(403);
    await resume({ ...asked, requestState });
    await away.close();
  },
};

describe('a client that forges', () => {
  beforeEach(() => {
    desk.refunds.length = 0;
    clock.advance(600_000);
  });

  test.each(Object.keys(attacks))('%s: none of its calls runs', async (name) => {
    for (let at = 0; at < PER_ATTACK; at++) {
      attempts++;
      // At most 20 questions of a caller are open at a time.
      if (at % 8 === 0) clock.advance(600_000);
      await attacks[name]!(at);
      expect(desk.refunds).toEqual([]);
    }
  });

  test('has tried every attack again and again', () => {
    expect(attempts).toBe(25 * PER_ATTACK);
    count('attempts to forge an approval', attempts);
  });

  test('an honest call runs, once, however often the approval is sent, clicked and replayed', async () => {
    const asked = await ask();
    const token = await formOf(asked.url);
    await Promise.all(Array.from({ length: 10 }, () => bea.open(asked.url, { token, decision: 'approve' })));
    const rounds = await Promise.all(Array.from({ length: 10 }, () => resume(asked)));
    expect(rounds.filter(({ result }) => result?.content?.[0]?.text === 'refunded')).toHaveLength(1);
    await resume(asked);
    expect(desk.refunds).toEqual([args]);
  });
});
