import { stateOf, type CallRow } from './call-rows.js';
import { tones } from './state-badge.js';

/** Five minutes in steps of five seconds: what a person has just done, and few enough bars to draw each second. */
export const STEP_MS = 5_000;
export const STEPS = 60;

export interface ChartFigures {
  /** Oldest first. */
  readonly bars: readonly { readonly good: number; readonly refused: number; readonly failed: number }[];
  readonly most: number;
  readonly calls: number;
  readonly failed: number;
  /** Milliseconds in which half, and 95 of 100, of the ended calls were answered. Undefined without calls. */
  readonly half?: number;
  readonly most95?: number;
}

/** Counts the calls of the last five minutes. `rows`: newest first. */
export function chartFigures(rows: readonly CallRow[], now: number): ChartFigures {
  const bars = Array.from({ length: STEPS }, () => ({ good: 0, refused: 0, failed: 0 }));
  // Bars begin at full steps, so that a call stays in its bar while time goes on.
  const begin = (Math.floor(now / STEP_MS) - STEPS + 1) * STEP_MS;
  const durations: number[] = [];
  let calls = 0;
  let failed = 0;
  for (const row of rows) {
    const bar = bars[Math.floor((row.call.at - begin) / STEP_MS)];
    if (!bar) continue;
    const tone = tones[stateOf(row)];
    const part = tone === 'bad' ? 'failed' : tone === 'warn' ? 'refused' : 'good';
    bar[part]++;
    calls++;
    if (part === 'failed') failed++;
    if (row.call.state === 'ended') durations.push(row.call.durationMs);
  }
  durations.sort((a, b) => a - b);
  const at = (share: number) =>
    durations[Math.min(durations.length - 1, Math.floor(durations.length * share))]!;
  const most = Math.max(1, ...bars.map(({ good, refused, failed }) => good + refused + failed));
  return { bars, most, calls, failed, ...(durations.length > 0 && { half: at(0.5), most95: at(0.95) }) };
}
