import type { Principal } from '@toolwright/ground/base/request-context';
import { PipelineFixture, textOf } from '../../test/support/pipeline-fixture.js';
import { RateLimit } from './rate-limit.js';

const of = (tenant: string, subject = 'ann') => ({ principal: { subject, tenant, scopes: [] } });
const plans: Record<string, number> = { free: 2, paid: 4, closed: 0 };
const byPlan = (principal: Principal | undefined) => plans[principal?.tenant ?? ''] as number;
const byTenant = ({ principal }: { principal: Principal | undefined }) => principal?.tenant ?? 'none';

type Tool = ReturnType<PipelineFixture['tool']>;

async function allowed(fixture: PipelineFixture, tools: readonly Tool[], requests: readonly object[]) {
  let count = 0;
  for (const [index, request] of requests.entries()) {
    const tool = tools[index % tools.length]!;
    const { isError } = await fixture.call(tool, {}, fixture.request(request));
    if (!isError) count++;
  }
  return count;
}

const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

test('the points of a caller are those of its plan', async () => {
  const fixture = new PipelineFixture({ rateLimit: { points: byPlan } });
  const tool = fixture.tool(() => 1);
  expect(await allowed(fixture, [tool], times(9, of('free')))).toBe(2);
  expect(await allowed(fixture, [tool], times(9, of('paid')))).toBe(4);
  expect(await allowed(fixture, [tool], times(9, of('closed')))).toBe(0);
  expect(fixture.sink.events.at(-1)).toBe('limited limited');
});

test('the users of a tenant share its points over all tools', async () => {
  const limit = { points: byPlan, per: '1m', key: byTenant, acrossTools: true } as const;
  for (const [options, policies] of [
    [{ rateLimit: limit }, undefined],
    [{}, [RateLimit.entry(limit)]],
  ] as const) {
    const fixture = new PipelineFixture(options);
    const tools = ['read', 'write', 'list'].map((name) =>
      fixture.tool(() => 1, { name, ...(policies && { policies: [...policies] }) }),
    );
    const users = ['ann', 'bob', 'eve'].flatMap((subject) => times(3, of('paid', subject)));
    expect(await allowed(fixture, tools, users)).toBe(4);
    expect(await allowed(fixture, tools, [of('free'), of('free', 'bob'), of('free', 'eve')])).toBe(2);
  }
});

test('across tools, each principal has its own points unless a key says otherwise', async () => {
  const fixture = new PipelineFixture({ rateLimit: { points: 3, acrossTools: true } });
  const tools = ['read', 'write'].map((name) => fixture.tool(() => 1, { name }));
  expect(await allowed(fixture, tools, times(9, of('free')))).toBe(3);
  expect(await allowed(fixture, tools, times(9, of('free', 'bob')))).toBe(3);
  expect(tools[0]!.plan).toContainEqual(
    expect.objectContaining({
      detail: '3 a minute, for all operations together, a call costs 1, store down: local',
    }),
  );
});

test('a key never joins two tenants, whatever its text is', async () => {
  const fixture = new PipelineFixture();
  const key = ({ arguments: { team } }: { arguments: Readonly<Record<string, unknown>> }) => team as string;
  const tool = fixture.tool(() => 1, { policies: [RateLimit.entry({ points: 1, per: '1m', key })] });
  const call = async (tenant: string, team: string) =>
    (await fixture.call(tool, { team }, fixture.request(of(tenant)))).isError ?? false;
  const texts = ['', 'red', '["tenant","b","red"]', '["tenant","a",""]'];
  for (const tenant of ['a', 'b', '["tenant","b"'])
    for (const team of texts) expect([tenant, team, await call(tenant, team)]).toEqual([tenant, team, false]);
  expect(await call('a', 'red')).toBe(true);
});

test('a key knows what is called', async () => {
  const fixture = new PipelineFixture({
    rateLimit: { points: 1, acrossTools: true, key: ({ operation }) => operation.name.slice(0, 4) },
  });
  const tools = ['read_a', 'read_b', 'write'].map((name) => fixture.tool(() => 1, { name }));
  expect(await allowed(fixture, tools, times(6, of('free')))).toBe(2);
});

describe('a function of points that fails', () => {
  const failing: Record<string, () => unknown> = {
    throws: () => {
      throw new Error('no plan');
    },
    negative: () => -1,
    fraction: () => 1.5,
    infinite: () => Infinity,
    nothing: () => undefined,
    text: () => '5',
    promise: () => Promise.reject(new Error('not awaited')),
  };

  test.each(Object.keys(failing))('refuses the call (%s) and is logged once a minute', async (way) => {
    const fixture = new PipelineFixture({ rateLimit: { points: failing[way] as () => number } });
    const tools = ['read', 'write'].map((name) => fixture.tool(() => 1, { name }));
    const lines = () => fixture.logger.lines.filter(({ level }) => level === 'error').length;
    expect(await allowed(fixture, tools, times(6, of('free')))).toBe(0);
    expect(lines()).toBe(1);
    await fixture.clock.advance(60_000);
    const result = await fixture.call(tools[0]!);
    expect(textOf(result)).toMatch(/^The limit of read cannot be found for you/);
    expect(lines()).toBe(2);
    expect(fixture.sink.records.at(-1)!.event).toMatchObject({
      event: 'limited',
      reason: 'TW_RATE_LIMIT_POINTS',
    });
  });
});

test('points that differ for every caller do not fill the memory', async () => {
  let points = 0;
  const fixture = new PipelineFixture({ rateLimit: { points: () => ++points } });
  const tool = fixture.tool(() => 1);
  for (let round = 0; round < 4; round++) {
    await allowed(fixture, [tool], times(600, of('free')));
    await fixture.clock.advance(60_000);
  }
  const { localLimiter } = fixture.environment;
  expect([...(localLimiter.uses?.() ?? [])]).toEqual([]);
  expect(await allowed(fixture, [tool], [of('free')])).toBe(1);
  expect([...(localLimiter.uses?.() ?? [])]).toHaveLength(1);
});

describe('points of a database', () => {
  let asked: string[];
  let plan: () => Promise<number>;
  let fixture: PipelineFixture;
  let tool: Tool;
  beforeEach(() => {
    asked = [];
    fixture = new PipelineFixture({
      rateLimit: {
        points: (principal) => {
          asked.push(principal!.tenant!);
          return plan();
        },
      },
    });
    tool = fixture.tool(() => 1);
  });
  const calls = (tenant = 'free', count = 1) => allowed(fixture, [tool], times(count, of(tenant)));
  const errors = () => fixture.logger.lines.filter(({ level }) => level === 'error').length;

  test('are asked for once a minute for each caller', async () => {
    plan = async () => 3;
    expect(await calls('free', 5)).toBe(3);
    expect(await calls('paid', 5)).toBe(3);
    expect(asked).toEqual(['free', 'paid']);
    plan = async () => 7;
    await fixture.clock.advance(60_000);
    expect(await calls('free', 9)).toBe(7);
    expect(asked).toEqual(['free', 'paid', 'free']);
  });

  test('are asked for once by calls that run at the same time', async () => {
    plan = async () => 3;
    const results = await Promise.all(
      times(5, 0).map(() => fixture.call(tool, {}, fixture.request(of('free')))),
    );
    expect(results.filter(({ isError }) => !isError)).toHaveLength(3);
    expect(asked).toEqual(['free']);
  });

  test('go on to count while it is away, and it is asked again after 5 seconds', async () => {
    plan = async () => 2;
    expect(await calls()).toBe(1);
    await fixture.clock.advance(60_000);
    plan = () => Promise.reject(new Error('connection refused'));
    expect(await calls('free', 4)).toBe(2);
    expect(asked).toEqual(['free', 'free']);
    expect(errors()).toBe(1);
    plan = async () => 5;
    await fixture.clock.advance(5_000);
    expect(await calls('free', 9)).toBe(5);
  });

  test('refuse a caller for whom there is no answer yet', async () => {
    plan = () => Promise.reject(new Error('connection refused'));
    expect(await calls('free', 3)).toBe(0);
    expect(fixture.sink.records.at(-1)!.event).toMatchObject({ reason: 'TW_RATE_LIMIT_POINTS' });
    plan = async () => 5;
    expect(await calls()).toBe(1);
  });

  test('may take one second', async () => {
    plan = () => new Promise(() => undefined);
    const call = fixture.call(tool, {}, fixture.request(of('free')));
    await fixture.clock.advance(1_000);
    expect(textOf(await call)).toMatch(/^The limit of .* cannot be found for you/);
    expect(fixture.clock.pending).toBe(0);
  });

  test.each([[-1], [1.5], ['5'], [undefined]])('are no points: %p', async (points) => {
    plan = async () => points as number;
    expect(await calls('free', 2)).toBe(0);
  });
});
