const longUnits = [
  { unit: 'd', ms: 86_400_000, below: 'h', belowMs: 3_600_000 },
  { unit: 'h', ms: 3_600_000, below: 'min', belowMs: 60_000 },
  { unit: 'min', ms: 60_000, below: 's', belowMs: 1_000 },
];

/** A duration as people read it: 240 µs, 12.3 ms, 4.21 s, 3 min 20 s, 2 d 4 h. */
export function formatMs(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1_000)} µs`;
  if (ms < 1_000) return `${ms.toFixed(ms < 100 ? 1 : 0)} ms`;
  const long = longUnits.find((each) => ms >= each.ms);
  if (!long) return `${(ms / 1_000).toFixed(2)} s`;
  const { unit, below, belowMs } = long;
  return `${Math.floor(ms / long.ms)} ${unit} ${Math.floor((ms % long.ms) / belowMs)} ${below}`;
}

/** The time of day, with milliseconds. */
export function formatClock(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = `${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
  return `${two(date.getHours())}:${two(date.getMinutes())}:${seconds}`;
}
