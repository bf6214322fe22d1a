import type { RateLimitDecision, RateLimiter } from '@toolwright/ground/ports/rate-limiter';
import { PipelineFixture, textOf } from '../../test/support/pipeline-fixture.js';
import { RateLimit } from './rate-limit.js';

const limited = (points: number) => ({ policies: [RateLimit.entry({ points, per: '1m' })] });
const ann = { principal: { subject: 'ann', scopes: [] } };
const bob = { principal: { subject: 'bob', scopes: [] } };

async function allowed(
  fixture: PipelineFixture,
  tool: ReturnType<PipelineFixture['tool']>,
  requests: object[],
) {
  const results = await Promise.all(
    requests.map((request) => fixture.call(tool, {}, fixture.request(request))),
  );
  return results.filter(({ isError }) => !isError).length;
}

describe('a rate limit', () => {
  it('is exact when many calls arrive at once, for each principal', async () => {
    const fixture = new PipelineFixture();
    let runs = 0;
    const tool = fixture.tool(async () => ++runs, limited(7));
    const requests = Array.from({ length: 100 }, (_, index) => (index % 2 ? ann : bob));
    expect(await allowed(fixture, tool, requests)).toBe(14);
    expect(runs).toBe(14);
  });

  it('says when to try again, in text and in milliseconds, and never in structured content', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => 1, { ...limited(1), outputSchema: { type: 'number' } });
    await fixture.call(tool);
    const result = await fixture.call(tool);
    expect(textOf(result)).toMatch(/^Rate limited; retry in \d+ s$/);
    expect(result.isError).toBe(true);
    expect(result._meta).toEqual({ retryAfterMs: expect.any(Number) });
    expect(result).not.toHaveProperty('structuredContent');
    expect(fixture.sink.events).toEqual(['outcome ok', 'limited limited']);
    expect(fixture.sink.records[1]!.event.reason).toBe('TW_RATE_LIMITED');
  });

  it('says that a call can never run where it costs more than all points, and names no time', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => 1, { ...limited(3), annotations: { destructiveHint: true } });
    const result = await fixture.call(tool);
    expect(textOf(result)).toMatch(/costs 5 points, and its limit has 3, so it can never run/);
    expect(result._meta).toBeUndefined();
    expect(fixture.sink.records.at(-1)!.event.reason).toBe('TW_RATE_LIMITED');
  });

  it.each([
    [{}, 10],
    [{ openWorldHint: true }, 5],
    [{ destructiveHint: true, openWorldHint: true }, 2],
    [{ destructiveHint: false }, 10],
  ])('of 10 points and annotations %j allows %i calls', async (annotations, calls) => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => 1, { ...limited(10), annotations });
    expect(await allowed(fixture, tool, Array<object>(20).fill(ann))).toBe(calls);
  });

  it('counts each tool separately', async () => {
    const fixture = new PipelineFixture();
    const tools = ['read', 'write'].map((name) => fixture.tool(() => 1, { name, ...limited(2) }));
    for (const tool of tools) expect(await allowed(fixture, tool, [ann, ann, ann])).toBe(2);
  });

  it('can be shared with a custom key', async () => {
    const fixture = new PipelineFixture();
    const key = ({ arguments: { team } }: { arguments: Readonly<Record<string, unknown>> }) => String(team);
    const tool = fixture.tool(() => 1, { policies: [RateLimit.entry({ points: 2, per: '1m', key })] });
    const call = (team: string, who: object) => fixture.call(tool, { team }, fixture.request(who));
    const results = [await call('a', ann), await call('a', bob), await call('a', bob), await call('b', bob)];
    expect(results.map(({ isError }) => isError ?? false)).toEqual([false, false, true, false]);
  });

  it('waits one second for a custom key, and charges the caller if there is none', async () => {
    const fixture = new PipelineFixture();
    const keys: Record<string, () => string | Promise<string>> = {
      shared: async () => 'team',
      hangs: () => new Promise<never>(() => undefined),
      fails: () => Promise.reject(new Error('no such team')),
      throws: () => {
        throw new Error('no such team');
      },
    };
    const key = ({ arguments: { way } }: { arguments: Readonly<Record<string, unknown>> }) =>
      keys[way as string]!();
    const tool = fixture.tool(() => 'ran', { policies: [RateLimit.entry({ points: 3, per: '1m', key })] });
    const call = async (way: string) => {
      const running = fixture.call(tool, { way });
      await fixture.clock.advance(1_000);
      return textOf(await running);
    };
    expect(await call('shared')).toBe('ran');
    for (const way of ['hangs', 'fails', 'throws'])
      expect(await call(way)).toMatch(
        /^The limit of work cannot be found for these arguments.*\(ref ref0123456\)\.$/,
      );
    expect(await call('throws')).toMatch(/^Rate limited/);
    expect(await call('hangs')).toMatch(/^Rate limited/);
    expect(fixture.sink.events.slice(1)).toEqual([...Array(5).fill('limited limited')]);
    expect(fixture.clock.pending).toBe(0);
    expect(fixture.environment.slots!.load).toEqual({ running: 0, waiting: 0 });
  });

  it('identifies a client without a subject by its id, and distinguishes issuers', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => 1, limited(1));
    const principals = [
      { issuer: 'https://a', subject: 'ann', scopes: [] },
      { issuer: 'https://b', subject: 'ann', scopes: [] },
      { subject: '', clientId: 'cron', scopes: [] },
      { subject: '', clientId: 'import', scopes: [] },
      { issuer: 'https://a', subject: 'ann', clientId: 'other app', scopes: [] },
    ];
    expect(
      await allowed(
        fixture,
        tool,
        principals.map((principal) => ({ principal })),
      ),
    ).toBe(4);
  });

  it('counts anonymous callers together, unless the server trusts their addresses', async () => {
    const requests = [
      '10.0.0.1',
      '10.0.0.2',
      '2001:db8:1:2::1',
      '2001:db8:1:2:ffff::2',
      '2001:db8:1:3::1',
    ].map((ip) => ({
      principal: undefined,
      ip,
    }));
    const together = new PipelineFixture();
    expect(
      await allowed(
        together,
        together.tool(() => 1, limited(1)),
        requests,
      ),
    ).toBe(1);
    const apart = new PipelineFixture({ rateLimit: { anonymousByIp: true } });
    expect(
      await allowed(
        apart,
        apart.tool(() => 1, limited(1)),
        requests,
      ),
    ).toBe(4);
  });

  it('is charged once for all rounds of a call', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => 1, limited(1));
    expect(await allowed(fixture, tool, [ann, { ...ann, round: { resumed: true, paid: true } }])).toBe(2);
    expect(await allowed(fixture, tool, [ann])).toBe(0);
  });

  it('exists by default, and can be removed for one tool or for all', async () => {
    const fixture = new PipelineFixture({ rateLimit: { points: 2 } });
    expect(
      await allowed(
        fixture,
        fixture.tool(() => 1),
        [ann, ann, ann],
      ),
    ).toBe(2);
    const free = fixture.tool(() => 1, { policies: [RateLimit.entry(false)] });
    expect(await allowed(fixture, free, [ann, ann, ann])).toBe(3);
    const off = new PipelineFixture({ rateLimit: false });
    expect(off.tool(() => 1).plan!.map(({ name }) => name)).not.toContain('rate limit');
    expect(new PipelineFixture().tool(() => 1).plan).toContainEqual({
      name: 'rate limit',
      origin: 'default',
      detail: '600 a minute, a call costs 1, store down: local, not over stdio',
    });
  });
});

class UnreachableStore implements RateLimiter {
  calls = 0;
  answer: () => Promise<RateLimitDecision> = () => Promise.reject(new Error('redis: connection refused'));

  consume(): Promise<RateLimitDecision> {
    this.calls++;
    return this.answer();
  }
}

describe('when the store of the limiter is down', () => {
  it('a limiter in memory takes over by default', async () => {
    const fixture = new PipelineFixture({}, { stores: { rateLimiter: new UnreachableStore() } });
    expect(
      await allowed(
        fixture,
        fixture.tool(() => 1, limited(2)),
        [ann, ann, ann],
      ),
    ).toBe(2);
    expect(fixture.logger.lines).toMatchObject([
      { level: 'error', message: expect.stringContaining('does not answer') },
    ]);
  });

  it('if the server says so, everything passes, or nothing', async () => {
    const calls = async (onStoreError: 'open' | 'closed') => {
      const fixture = new PipelineFixture(
        { rateLimit: { onStoreError } },
        { stores: { rateLimiter: new UnreachableStore() } },
      );
      return allowed(
        fixture,
        fixture.tool(() => 1, limited(1)),
        [ann, ann],
      );
    };
    expect(await calls('open')).toBe(2);
    expect(await calls('closed')).toBe(0);
  });

  it('destructive tools are refused, whatever the server says', async () => {
    const fixture = new PipelineFixture(
      { rateLimit: { onStoreError: 'open' } },
      { stores: { rateLimiter: new UnreachableStore() } },
    );
    const tool = fixture.tool(() => 1, { annotations: { destructiveHint: true } });
    const result = await fixture.call(tool);
    expect(textOf(result)).toBe('The limits of this tool cannot be checked right now; retry in 5 s');
    expect(fixture.sink.records.at(-1)!.event).toMatchObject({ event: 'limited', reason: 'TW_LIMITER_DOWN' });
  });

  it('a call waits at most 50 ms for it, and leaves nothing behind', async () => {
    const store = new UnreachableStore();
    let fail!: (error: Error) => void;
    store.answer = () => new Promise((_, reject) => (fail = reject));
    const fixture = new PipelineFixture({}, { stores: { rateLimiter: store } });
    const running = fixture.call(fixture.tool(() => 'ran'));
    await fixture.clock.advance(49);
    expect(fixture.logger.lines).toEqual([]);
    await fixture.clock.advance(1);
    expect(textOf(await running)).toBe('ran');
    fail(new Error('too late to matter'));
    await fixture.clock.advance(0);
    expect(fixture.clock.pending).toBe(0);
  });

  it('the outage and its end are logged once each', async () => {
    const store = new UnreachableStore();
    const fixture = new PipelineFixture({}, { stores: { rateLimiter: store } });
    const tool = fixture.tool(() => 1);
    for (let call = 0; call < 3; call++) await fixture.call(tool);
    store.answer = async () => ({ allowed: true, remaining: 1, retryAfterMs: 0 });
    for (let call = 0; call < 3; call++) await fixture.call(tool);
    expect(fixture.logger.lines.map(({ level }) => level)).toEqual(['error', 'info']);
    expect(store.calls).toBe(6);
  });
});
