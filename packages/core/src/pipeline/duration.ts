/** A span of time as an author writes it: `'250ms'`, `'30s'`, `'1m'`, `'2h'`, `'1d'`. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

const milliseconds = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Milliseconds of a duration.
 *
 * @throws {RangeError} when it is not a positive, finite duration
 */
export function parseDuration(duration: Duration): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(duration) ?? [];
  const span = Number(amount) * milliseconds[unit as keyof typeof milliseconds];
  if (!(span > 0 && Number.isFinite(span))) {
    throw new RangeError(`"${duration}" is not a duration such as '250ms', '30s', '1m', '2h' or '1d'.`);
  }
  return span;
}
