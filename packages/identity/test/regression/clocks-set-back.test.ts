import { Seal } from '@toolwright/core/extend';
import { MemoryClaimStore, MemoryRecordStore } from '@toolwright/core/ports';
import { FakeClock } from '../../../core/test/support/fake-clock.js';
import { RecordingLogger } from '../../../core/test/support/recording-logger.js';
import { Decisions } from '../../src/decisions/decisions.js';
import type { DecisionInput } from '../../src/decisions/decision.js';
import { SeenOperations } from '../../src/decisions/seen-operations.js';
import { IssuerClient } from '../../src/exchange/issuer-client.js';
import { TokenBroker } from '../../src/exchange/token-broker.js';
import { GrantRecords } from '../../src/grants/grant-records.js';
import { GrantTokens } from '../../src/grants/grant-tokens.js';
import { Introspector } from '../../src/introspection/introspector.js';
import { apiKeys } from '../../src/keys/api-keys.js';
import { MOST_OPEN, QuestionQuota } from '../../src/pages/question-quota.js';

const HOUR = 3_600_000;
const operation = { kind: 'tool', name: 'read' };

const secrets = ['0123456789abcdef0123456789abcdef'];

/** Tries what may be remembered, and returns whether it was asked anew. */
const remembered: Record<
  string,
  [lifeMs: number, begin: (clock: FakeClock) => Promise<() => Promise<boolean>>]
> = {
  'an API key that another process has revoked': [
    5_000,
    async (clock) => {
      const records = new MemoryRecordStore(clock);
      const here = apiKeys({ records, secrets, clock });
      const { id, key } = await here.create({ subject: 'ann' });
      const request = () => new Request('http://localhost/mcp', { headers: { 'x-api-key': key } });
      const isRefused = async () => !('principal' in (await here.authenticate(request())));
      expect(await isRefused()).toBe(false);
      await apiKeys({ records, secrets, clock }).revoke(id);
      return isRefused;
    },
  ],
  'a token that the issuer has accepted': [30_000, async (clock) => introspected(clock, { sub: 'ann' })],
  'a token that the issuer has refused': [5_000, async (clock) => introspected(clock, undefined)],
  'a token for another resource': [
    48_000,
    async (clock) => {
      const obtain = brokered(clock, () => Promise.resolve({ token: 'token', lifeMs: 60_000 }));
      await obtain();
      return obtain;
    },
  ],
};

function introspected(clock: FakeClock, claims: { sub: string } | undefined): () => Promise<boolean> {
  let asked = 0;
  const limits = { rememberMs: 30_000, rememberRefusedMs: 5_000, rememberedTokens: 10, atOnce: 10 };
  const introspector = new Introspector(async () => ((asked += 1), claims), limits, clock);
  void introspector.ask('token');
  return async () => {
    const before = asked;
    await introspector.ask('token');
    return asked > before;
  };
}

type Fetch = () => Promise<{ token: string; lifeMs: number }>;

function brokered(clock: FakeClock, fetch: Fetch, records?: MemoryRecordStore): () => Promise<boolean> {
  const seal = new Seal(secrets, 'token');
  const ports = { clock, records, seal, claims: new MemoryClaimStore(clock), logger: new RecordingLogger() };
  const broker = new TokenBroker(ports);
  return async () => (await broker.obtain({ id: 'id', timeoutMs: 1_000, fetch })).outcome === 'exchanged';
}

// Somebody sets the machine's clock, by an hour. What a process remembers must not count for an hour longer.
describe.each([
  ['back', -HOUR],
  ['forward', HOUR],
])('when the clock was set %s', (_, ms) => {
  it('a decision counts as long as it should', async () => {
    const clock = new FakeClock();
    let asked = 0;
    const decide = () => ({ allow: (asked += 1) > 0 });
    const settings = { decide, clock, timeoutMs: 1_000, cacheMs: 60_000, maxCached: 10 };
    const decisions = new Decisions(settings as never);
    const input = { action: 'call', principal: null, operation } as unknown as DecisionInput;
    await decisions.get(input);
    clock.set(ms);
    await clock.advance(59_999);
    expect(await decisions.get(input)).toMatchObject({ source: 'cached' });
    await clock.advance(1);
    expect(await decisions.get(input)).toMatchObject({ source: 'asked' });
  });

  it('what a caller may know of is asked again in time', async () => {
    const clock = new FakeClock();
    const seen = new SeenOperations(clock);
    seen.note(operation as never, null as never, true);
    clock.set(ms);
    expect(seen.may(operation as never, null as never)).toBe(true);
    await clock.advance(HOUR / 2);
    expect(seen.may(operation as never, null as never)).toBe(false);
  });

  it.each(Object.entries(remembered))('%s is asked about again in time', async (_name, [lifeMs, begin]) => {
    const clock = new FakeClock();
    const isAskedAnew = await begin(clock);
    clock.set(ms);
    await clock.advance(lifeMs - 1);
    // A clock that was set forward may make it ask earlier.
    if (ms < 0) expect(await isAskedAnew()).toBe(false);
    await clock.advance(1);
    expect(await isAskedAnew()).toBe(true);
  });

  it('a token that another process has got is not used for longer', async () => {
    const clock = new FakeClock();
    const records = new MemoryRecordStore(clock);
    const fetch = () => Promise.resolve({ token: 'token', lifeMs: 60_000 });
    await brokered(clock, fetch, records)();
    expect(await brokered(clock, fetch, records)()).toBe(false);
    const obtain = brokered(clock, fetch, records);
    clock.set(ms);
    await clock.advance(30_000);
    // Nobody knows how long it still lives.
    expect(await obtain()).toBe(true);
    await clock.advance(47_999);
    expect(await obtain()).toBe(false);
    await clock.advance(1);
    expect(await obtain()).toBe(true);
  });

  it('who has had too many open questions may have one again in time', async () => {
    const clock = new FakeClock();
    const questions = { isOver: async () => false };
    const quota = new QuestionQuota({ clock, lifetimeMs: 60_000, questions });
    const open = () => quota.open({ subject: 'ann' }, async () => 'question');
    for (let count = 0; count < MOST_OPEN; count++) await open();
    clock.set(ms);
    await clock.advance(59_999);
    expect(await open()).toBeUndefined();
    await clock.advance(1);
    expect(await open()).toBe('question');
  });

  it('a token of a grant is refreshed, and a failure of it does not last', async () => {
    const clock = new FakeClock();
    const records = new GrantRecords(new MemoryRecordStore(clock), { clock, secrets, keepMs: HOUR * 24 });
    const logger = new RecordingLogger();
    let asked = 0;
    const fetch = async () => Promise.reject(new Error(`refused ${(asked += 1)}`));
    const rule = {
      issuer: 'https://issuer.example',
      clientId: 'app',
      clientSecret: 's',
      timeoutMs: 1_000,
      fetch,
    };
    const issuer = new IssuerClient(
      { ...rule, resource: 'https://api.example', parameters: {} } as never,
      logger,
    );
    const tokens = new GrantTokens({ records, claims: new MemoryClaimStore(clock), clock, logger });
    const now = clock.now();
    const record = { status: 'active', scopes: [], refreshToken: 'r', created: now, renewed: now } as const;
    await records.write(
      'id',
      {
        ...record,
        holder: {},
        resource: '',
        client: {},
        tokens: { '': { token: 't', until: now + 60_000 } },
      } as never,
      undefined,
    );
    const wish = { id: 'id', issuer, scopes: [] };
    expect(await tokens.obtain(wish)).toEqual({ token: 't', outcome: 'stored' });
    clock.set(ms);
    await clock.advance(60_000);
    await expect(tokens.obtain(wish)).rejects.toThrow();
    const failed = asked;
    expect(failed).toBeGreaterThan(0);
    await expect(tokens.obtain(wish)).rejects.toThrow();
    expect(asked).toBe(failed);
    clock.set(ms);
    await clock.advance(5_000);
    await expect(tokens.obtain(wish)).rejects.toThrow();
    expect(asked).toBeGreaterThan(failed);
  });
});
