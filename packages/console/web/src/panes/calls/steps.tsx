import type { TracedStep } from '@toolwright/core';
import type { RecordedCall } from '../../../../src/api/record-api.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { formatMs } from '../../ui/format-time.js';
import { Bar } from './bar.js';
import { stepBars } from './step-bars.js';

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
