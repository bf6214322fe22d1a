import { FakeClock } from '../../../core/test/support/fake-clock.js';
import { Decisions } from '../../src/decisions/decisions.js';
import type { DecisionInput } from '../../src/decisions/decision.js';
import { SeenOperations } from '../../src/decisions/seen-operations.js';

const HOUR = 3_600_000;
const operation = { kind: 'tool', name: 'read' };

// Somebody sets the machine's clock, by an hour. A decision of a policy engine must not count for an hour longer.
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
});
