import type { RecordedCall } from '../../../../src/api/record-api.js';
import { callerText } from '../../ui/words.js';
import './failure.css';

interface Refusal {
  /** Who was refused, by what, and why. */
  readonly sentence: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** A refused call in one sentence, and what to do. `undefined`: the call was not refused. */
export function refusalOf(call: RecordedCall): Refusal | undefined {
  const { outcome, name, principal, steps, reason = '' } = call;
  const step = steps.find(({ verdict }) => verdict === 'refused');
  const who = principal === undefined ? 'An anonymous caller' : callerText(principal);
  const by = step ? ` by the guard "${step.name}"${step.detail ? ` (${step.detail})` : ''}` : '';
  const because = reason ? `: ${reason}` : '';
  switch (outcome) {
    case 'denied':
      return {
        sentence: `${who} may not use "${name}"; it was refused${by}${because}.`,
        remedy: /scope/i.test(`${reason} ${step?.name} ${step?.detail}`)
          ? `Give the caller ${step?.detail ? `what it looked at (${step.detail})` : 'the scope'}, or choose a caller above that has it and replay the call.`
          : `Look at the guard in the list below. Choose another caller above and replay the call, or change the guard where its origin says.`,
      };
    case 'limited':
      return {
        sentence: `${who} has used up a limit of "${name}"; it was refused${by}${because}.`,
        remedy:
          'Wait until the limit is over, give the points back under State, or raise the limit where its origin says.',
      };
    case 'invalid':
      return {
        sentence: `The arguments of "${name}" do not fit its schema; it was refused${by}${because}.`,
        remedy:
          'The answer names each argument that is wrong. Replay opens the form, which shows them beside their fields.',
      };
    case 'timeout':
      return {
        sentence: `"${name}" took longer than it may, and was ended${by}${because}.`,
        remedy:
          'Look below at the time of each step. Make the slow one faster, run the tool as a task, or allow it more time.',
      };
    default:
      return undefined;
  }
}

export function RefusalView({ call }: { call: RecordedCall }) {
  const refusal = refusalOf(call);
  if (!refusal) return null;
  return (
    <section className="refusal" aria-label="Why it was refused">
      <p className="refusal-sentence">{refusal.sentence}</p>
      <p>
        <strong>What to do:</strong> {refusal.remedy}
      </p>
    </section>
  );
}
