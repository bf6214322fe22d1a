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
  const { outcome, name, principal, steps } = call;
  const step = steps.find(({ verdict }) => verdict === 'refused');
  const who = principal?.subject ?? (principal ? callerText(principal) : 'An anonymous caller');
  const guard = step ? `the guard "${step.name}"` : 'the server';
  const detail = step?.detail ? ` (${step.detail})` : '';
  switch (outcome) {
    case 'denied':
      return step?.name === 'scopes' && step.detail
        ? {
            sentence: `${who} may not use "${name}", because it needs ${scopesOf(step.detail)}.`,
            remedy: `Give ${principal ? who : 'the caller'} the scope, or choose another caller at the top of the page. Then replay the call.`,
          }
        : {
            sentence: `${who} may not use "${name}": ${guard}${detail} said no.`,
            remedy: `Choose another caller at the top of the page and replay the call, or change the guard. Its row below says where it comes from.`,
          };
    case 'limited':
      return {
        sentence: `${who} has used up a limit of "${name}": ${guard}${detail} said no.`,
        remedy:
          'Wait until the limit is over, give the points back under State, or raise the limit. The row below says where it comes from.',
      };
    case 'invalid':
      return {
        sentence: `The arguments of "${name}" do not fit its schema, so the method was not called.`,
        remedy:
          'The answer names each argument that is wrong. Replay opens the form, which shows them beside their fields.',
      };
    case 'timeout':
      return {
        sentence: `"${name}" took longer than it may${detail}, so it was ended.`,
        remedy:
          'Look below at the time of each step. Make the slow one faster, run the tool as a task, or allow it more time.',
      };
    default:
      return undefined;
  }
}

function scopesOf(detail: string): string {
  return `${/[ ,]/.test(detail) ? 'the scopes' : 'the scope'} ${detail}`;
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
      {call.reason && (
        <p className="faint">
          The caller got <code>{call.reason}</code>
        </p>
      )}
    </section>
  );
}
