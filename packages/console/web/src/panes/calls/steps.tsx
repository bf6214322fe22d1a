import type { TracedStep } from '@toolwright/core/operate';
import type { RecordedCall } from '../../../../src/api/record-api.js';
import { Badge, type Tone } from '../../ui/pieces.js';
import { formatMs } from '../../ui/words.js';

/** A part of a time line, in milliseconds after the call began. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** When a step ran: all of it with the steps inside it, and its own work before and after them. */
interface StepBar {
  readonly whole: Stretch;
  readonly own: readonly Stretch[];
}

/**
 * The bars of the steps, outermost first. A step knows when it began and how long it took without the steps inside it.
 * They lie in each other, so a step takes as long as its own work and the next step together.
 */
function stepBars(steps: readonly TracedStep[]): StepBar[] {
  const bars: StepBar[] = [];
  let innerMs = 0;
  for (let index = steps.length - 1; index >= 0; index--) {
    const { beganMs, ownMs } = steps[index]!;
    const inner = steps[index + 1];
    const wholeMs = ownMs + innerMs;
    const whole = { from: beganMs, to: beganMs + wholeMs };
    if (!inner) bars.unshift({ whole, own: [whole] });
    else {
      const before = Math.min(Math.max(inner.beganMs - beganMs, 0), ownMs);
      bars.unshift({
        whole,
        own: [
          { from: beganMs, to: beganMs + before },
          { from: whole.to - (ownMs - before), to: whole.to },
        ],
      });
    }
    innerMs = wholeMs;
  }
  return bars;
}

const verdictTones: Readonly<Record<NonNullable<TracedStep['verdict']>, Tone>> = {
  passed: 'plain',
  answered: 'good',
  refused: 'warn',
  failed: 'bad',
};

/** Each guard that the call reached, outermost first, and the method at the end. */
export function Steps({ call, isRunning }: { call: RecordedCall; isRunning: boolean }) {
  const { steps, durationMs } = call;
  if (steps.length === 0)
    return (
      <p className="faint">
        {isRunning ? 'The steps are told when the call has ended.' : 'No step was reached.'}
      </p>
    );
  const bars = stepBars(steps);
  const length = Math.max(durationMs, ...bars.map(({ whole }) => whole.to)) || 1;
  return (
    <section className="stack">
      <h3 id="steps">Guards</h3>
      <div className="scroll" tabIndex={0} role="region" aria-labelledby="steps">
        <table className="table steps">
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col">Verdict</th>
              <th scope="col">Looked at</th>
              <th scope="col" className="number" title="Without the steps inside it">
                Own time
              </th>
              <th scope="col" className="line">
                0 to {formatMs(length)}
              </th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ name, origin, detail, verdict, ownMs }, index) => (
              <tr key={index} className={name === 'method' ? 'method' : undefined}>
                <th scope="row">
                  {name} <span className="faint">{name === 'method' ? '' : origin}</span>
                </th>
                <td>
                  {verdict ? (
                    <Badge tone={verdictTones[verdict]}>{verdict}</Badge>
                  ) : (
                    <Badge tone="info">running</Badge>
                  )}
                </td>
                <td>{detail}</td>
                <td className="number">{formatMs(ownMs)}</td>
                <td>
                  <Bar length={length} {...bars[index]!} {...(isEnd(verdict) && { tone: toneOf(verdict) })} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function isEnd(verdict: TracedStep['verdict']): verdict is 'answered' | 'refused' | 'failed' {
  return verdict !== undefined && verdict !== 'passed';
}

function toneOf(verdict: 'answered' | 'refused' | 'failed') {
  return ({ answered: 'good', refused: 'warn', failed: 'bad' } as const)[verdict];
}

interface Props {
  /** How long the whole line is, in milliseconds. */
  readonly length: number;
  readonly whole: Stretch;
  readonly own?: readonly Stretch[];
  readonly tone?: 'good' | 'bad' | 'warn';
}

/** A stretch of time on a line. The same figures stand beside it as text. */
export function Bar({ length, whole, own = [whole], tone }: Props) {
  const place = ({ from, to }: Stretch) => ({
    left: `${(from / length) * 100}%`,
    width: `max(2px, ${((to - from) / length) * 100}%)`,
  });
  return (
    <div className="bar" aria-hidden>
      <span className="bar-whole" style={place(whole)} />
      {own.map((each, index) => (
        <span key={index} className={`bar-own ${tone ?? ''}`} style={place(each)} />
      ))}
    </div>
  );
}
