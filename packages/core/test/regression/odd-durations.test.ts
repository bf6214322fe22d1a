import { SessionIds } from '../../src/sessions/session-id.js';
import { resolveTasks } from '../../src/tasks/task-options.js';
import { optionRules, parseOptions, type OptionRule, type OptionSchema } from '../../src/options.js';

const MONTH_MS = 30 * 86_400_000;
/** Where timers of JavaScript and counters of 32 bits end, and what calculations give that went wrong. */
const values = [0, 1, 2 ** 31 - 1, 2 ** 31, '30d', '36525d', 1e300, Infinity, NaN, -1] as const;

/** A rule for durations is one that takes a minute as a text and reads it as milliseconds. */
const isDuration = (rule: unknown): rule is OptionRule =>
  typeof rule === 'object' &&
  rule !== null &&
  'read' in rule &&
  (rule as OptionRule).accepts('1m') &&
  (rule as OptionRule).read!('1m') === 60_000;

const rules = Object.entries(optionRules).filter((entry): entry is [string, OptionRule] =>
  isDuration(entry[1]),
);

/** What an option with the rule becomes. */
function read(rule: OptionRule, value: unknown): unknown {
  try {
    return (
      parseOptions('server', { pause: rule } as OptionSchema<{ pause: unknown }>, { pause: value }) as any
    ).pause;
  } catch {
    return 'refused';
  }
}

it('each rule for a duration keeps the value, or refuses it', () => {
  const table = Object.fromEntries(
    rules.map(([name, rule]) => [name, values.map((value) => read(rule, value))]),
  );
  const [no, longest, longer, century] = ['refused', 2 ** 31 - 1, 2 ** 31, 36_525 * 86_400_000];
  expect(table).toEqual({
    duration: [no, 1, longest, longer, MONTH_MS, century, no, no, no, no],
    driverTimeout: [no, 1, no, no, no, no, no, no, no, no],
    shortPause: [0, 1, no, no, no, no, no, no, no, no],
    durationToInfinity: [no, 1, longest, longer, MONTH_MS, century, no, Infinity, no, no],
    durationFromZero: [0, 1, longest, longer, MONTH_MS, century, no, no, no, no],
    anyDuration: [0, 1, longest, longer, MONTH_MS, century, no, Infinity, no, no],
  });
});

it('tasks that are kept for ever say so in JSON', () => {
  expect(resolveTasks({ ttl: Infinity }).ttl).toBeNull();
});

it('an id of a session without an end is read again', () => {
  const ids = new SessionIds('server', ['0123456789abcdef0123456789abcdef']);
  const client = { capabilities: {} };
  const id = ids.issue({ revision: '2025-11-25', client, expires: Infinity } as never, undefined);
  expect(ids.read(id, undefined, 1_800_000_000_000)).toMatchObject({ expires: Infinity, client });
});
