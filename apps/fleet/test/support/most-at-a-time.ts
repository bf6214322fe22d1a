/** A span of time, in milliseconds since the epoch. */
export interface Span {
  from: number;
  to: number;
}

/** How many spans there are at the moment that has the most of them. A span that begins where another ends follows it. */
export function mostAtATime(spans: readonly Span[]): number {
  const atStart = ({ from }: Span) => spans.filter((other) => other.from <= from && from < other.to).length;
  return Math.max(...spans.map(atStart));
}
