import { PipelineFixture } from '../../../../core/test/support/pipeline-fixture.js';
import { RequireScopes } from '../../../../core/src/policies/authorize.js';
import type { SecurityEvent } from './security-monitor.js';

describe('security events', () => {
  const events: SecurityEvent[] = [];
  const fixture = new PipelineFixture({
    onSecurity: (event) => events.push(event),
    rateLimit: { points: 5 },
  });
  const strict = fixture.tool(() => 1, {
    name: 'strict',
    inputSchema: { type: 'object', required: ['id'] },
    policies: [],
  });
  beforeEach(() => void events.splice(0));

  const repeat = async (times: number, call: () => Promise<unknown>) => {
    for (let count = 0; count < times; count++) await call().catch(() => undefined);
  };

  it('report a caller that is refused again and again, less and less often', async () => {
    const closed = fixture.tool(() => 1, { name: 'closed', policies: [RequireScopes.entry('admin')] });
    await repeat(45, () => fixture.call(closed));
    expect(events).toEqual(
      [10, 20, 40].map((count) => ({
        type: 'denied',
        caller: '["","ann"]',
        operation: 'closed',
        count,
        time: fixture.clock.now(),
      })),
    );
    expect(fixture.logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(3);
  });

  it('distinguish malformed input from limits, and callers from each other', async () => {
    await repeat(5, () => fixture.call(strict));
    await repeat(10, () => fixture.call(strict));
    await repeat(9, () =>
      fixture.call(strict, {}, fixture.request({ principal: undefined, ip: '10.0.0.1' })),
    );
    expect(events).toMatchObject([{ type: 'limited', count: 10 }]);
    const free = new PipelineFixture({ rateLimit: false, onSecurity: (event) => events.push(event) });
    const tool = free.tool(() => 1, { inputSchema: { type: 'object', required: ['id'] } });
    await repeat(10, () => free.call(tool, {}, free.request({ principal: undefined, ip: '10.0.0.1' })));
    expect(events.at(-1)).toMatchObject({ type: 'malformed', caller: 'ip 10.0.0.1' });
  });

  it('start again after a minute, and do not count calls that failed by themselves', async () => {
    const free = new PipelineFixture({ rateLimit: false, onSecurity: (event) => events.push(event) });
    const tool = free.tool(() => 1, { inputSchema: { type: 'object', required: ['id'] } });
    await repeat(9, () => free.call(tool));
    await free.clock.advance(60_000);
    await repeat(9, () => free.call(tool));
    await repeat(20, () => free.call(free.tool(() => Promise.reject(new Error('no')))));
    expect(events).toEqual([]);
  });
});
