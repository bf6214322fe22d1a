import { durationOptions } from './support/duration-options.js';
import { closeTried, tries } from './support/try-durations.js';

const options = durationOptions();
const DAY_MS = 86_400_000;

/** Where timers of JavaScript and counters of 32 bits end, and what calculations give that went wrong. */
const values = [0, 1, 2 ** 31 - 1, 2 ** 31, '30d', Infinity, NaN, -1] as const;
type Value = (typeof values)[number];

/** What a comment says at most. A timer of JavaScript that waits for longer than 2^31 - 1 ms ends at once. */
const mostOf = (comment: string): number => {
  const [, count, unit] = /\bat\s+most (an?|\d+) (minute|hour|day)s?\b/i.exec(comment) ?? [];
  if (unit === undefined) return Infinity;
  return (Number(count) || 1) * { minute: DAY_MS / 1_440, hour: DAY_MS / 24, day: DAY_MS }[unit]!;
};

/** What the reference promises for a value. */
function isPromised(comment: string, value: Value): boolean {
  const ms = value === '30d' ? 30 * DAY_MS : value;
  if (Number.isNaN(ms) || ms < 0) return false;
  if (ms === 0) return /\b0: /.test(comment);
  if (ms === Infinity) return comment.includes('`Infinity`');
  return ms <= mostOf(comment) && (ms > 1 || !/\bat least \d/i.test(comment));
}

/** What is said about the option when it is set; `undefined` if nothing is. */
async function refusalOf(key: string, value: Value): Promise<string | undefined> {
  const name = key.split('.')[1]!;
  try {
    await tries[key]!(value);
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    return lines.find(
      (line) => line.includes(`.${name}"`) || line.includes(`"${name}"`) || / is not a .*duration/.test(line),
    );
  }
  return undefined;
}

afterAll(closeTried);

test('every option that is a duration is tried', () => {
  expect(options.size).toBeGreaterThan(60);
  expect(Object.keys(tries).sort()).toEqual([...options.keys()].sort());
});

test.each([...options])('%s says what 0 means', (_key, { comment }) => {
  expect(comment).toMatch(/\b0(: \w| is refused)|\bmore than 0\b/i);
});

test.each([...options])('%s is what its comment says, or is refused clearly', async (key, { comment }) => {
  for (const value of values) {
    const refusal = await refusalOf(key, value);
    expect([value, refusal === undefined]).toEqual([value, isPromised(comment, value)]);
    if (refusal === undefined) continue;
    expect(refusal).toContain(value === '30d' ? '30d' : String(value));
    expect(refusal).toMatch(/must be a .*duration|is not a .*duration/);
  }
});
