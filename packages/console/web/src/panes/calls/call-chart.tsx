import { useMemo } from 'react';
import { formatMs } from '../../ui/format-time.js';
import { useNow } from '../../ui/records/use-now.js';
import type { CallRow } from './call-rows.js';
import { chartFigures, STEP_MS, STEPS } from './chart-figures.js';

const HEIGHT = 26;
const WIDTH = 3;

/** How many calls there were in the last five minutes, how they ended, and how long they took. */
export function CallChart({ rows }: { rows: readonly CallRow[] }) {
  const now = useNow(STEP_MS);
  const { bars, most, calls, failed, half, most95 } = useMemo(() => chartFigures(rows, now), [rows, now]);
  if (half === undefined || most95 === undefined) return null;
  const told = `Last five minutes: ${calls} calls, ${failed} failed. Half took up to ${formatMs(half)}, 95 of 100 up to ${formatMs(most95)}.`;
  return (
    <div className="call-chart" title={told}>
      <svg role="img" aria-label={told} width={STEPS * WIDTH} height={HEIGHT}>
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
        half {formatMs(half)}, 95% {formatMs(most95)}
      </span>
    </div>
  );
}
