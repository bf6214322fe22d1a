import { useMemo } from 'react';
import { Badge, type Tone } from '../../ui/pieces.js';
import { formatMs, useNow } from '../../ui/words.js';
import { type CallRow, type RowState, stateOf } from './call-rows.js';

/** Five minutes in steps of five seconds: what a person has just done, and few enough bars to draw each second. */
const STEP_MS = 5_000;
const STEPS = 60;

interface ChartFigures {
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
function chartFigures(rows: readonly CallRow[], now: number): ChartFigures {
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

const HEIGHT = 26;
const WIDTH = 3;

/** How many calls there were in the last five minutes, how they ended, and how long they took. */
export function CallChart({ rows }: { rows: readonly CallRow[] }) {
  const now = useNow(STEP_MS);
  const { bars, most, calls, failed, half, most95 } = useMemo(() => chartFigures(rows, now), [rows, now]);
  if (half === undefined || most95 === undefined) return null;
  const summary =
    `Last five minutes: ${calls} calls, ${failed} failed. ` +
    `Half of them took at most ${formatMs(half)} (median), and 95 of 100 at most ${formatMs(most95)} (p95).`;
  return (
    <div className="call-chart" title={summary}>
      <svg role="img" aria-label={summary} width={STEPS * WIDTH} height={HEIGHT}>
        {bars.map(({ good, refused, failed }, index) => {
          const scale = HEIGHT / most;
          let y = HEIGHT;
          return (['good', 'refused', 'failed'] as const).map((part) => {
            const height = { good, refused, failed }[part] * scale;
            y -= height;
            return (
              height > 0 && (
                <rect
                  key={`${index}${part}`}
                  className={part}
                  x={index * WIDTH}
                  y={y}
                  width={WIDTH - 1}
                  height={height}
                />
              )
            );
          });
        })}
      </svg>
      <span className="faint" aria-hidden>
        median {formatMs(half)}, p95 {formatMs(most95)}
      </span>
    </div>
  );
}

const tones: Readonly<Record<RowState, Tone>> = {
  ok: 'good',
  asking: 'info',
  running: 'info',
  denied: 'warn',
  limited: 'warn',
  invalid: 'warn',
  cancelled: 'plain',
  lost: 'plain',
  timeout: 'bad',
  error: 'bad',
};

const titles: Readonly<Record<RowState, string>> = {
  ok: 'It gave a result.',
  asking: 'The client must answer a question; the next round is a call of its own.',
  running: 'It has not ended yet.',
  denied: 'The caller may not do this.',
  limited: 'The caller has used up a limit.',
  invalid: 'The arguments do not fit the schema.',
  cancelled: 'The caller cancelled it.',
  lost: 'The app ended before the call did.',
  timeout: 'It took longer than it may.',
  error: 'It failed.',
};

export function StateBadge({ state }: { state: RowState }) {
  return (
    <Badge tone={tones[state]} title={titles[state]}>
      {state}
    </Badge>
  );
}
