import type { OptionRule } from './options/option-schema.js';

/** A span of time: `'250ms'`, `'30s'`, `'1m'`, `'2h'`, `'1d'`. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const pattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** The rule for options that are durations. */
export const duration: OptionRule = {
  expected: "a duration such as '50s'",
  accepts: (value) => typeof value === 'string' && span(value) !== undefined,
};

/**
 * Returns the milliseconds of a duration.
 *
 * @throws {RangeError} when it is not a positive, finite duration
 */
export function parseDuration(duration: Duration): number {
  const parsed = span(duration);
  if (parsed !== undefined) return parsed;
  throw new RangeError(`"${duration}" is not a duration such as '250ms', '30s', '1m', '2h' or '1d'.`);
}

function span(text: string): number | undefined {
  const [, amount, unit] = pattern.exec(text) ?? [];
  const parsed = Number(amount) * unitMs[unit as keyof typeof unitMs];
  return parsed > 0 && Number.isFinite(parsed) ? parsed : undefined;
}
