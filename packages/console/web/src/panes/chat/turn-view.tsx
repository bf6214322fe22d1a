import { Save } from 'lucide-react';
import type {
  ChatAnswerState,
  ChatTokens,
  ChatTurnState,
} from '../../../../../json/src/base/shown-records.js';
import type { ChatOf } from '../../../../src/api/chat-api.js';
import { ask } from '../../data/ask.js';
import { useOverview } from '../../data/current.js';
import { notify, notifyError } from '../../ui/notices.js';
import { Button, Notes, Problem } from '../../ui/pieces.js';
import { formatMs } from '../../ui/words.js';
import { CallOfModel } from './call-of-model.js';

interface Props {
  readonly of: ChatOf;
  readonly turn: ChatTurnState;
}

/** What the person wrote, the answers of the model with their calls, and what it took. */
export function TurnView({ of, turn }: Props) {
  const { number, text, answers, state, problem, tokens, durationMs } = turn;
  return (
    <section className="chat-turn" aria-label={`Turn ${number}`}>
      <p className="chat-said" dir="auto">
        {text}
      </p>
      {answers.map((answer, index) => (
        <Answer key={index} of={of} answer={answer} />
      ))}
      {state === 'running' && <p className="faint">The turn goes on…</p>}
      <Problem>{problem && `${problem.message} (${problem.code})`}</Problem>
      {state === 'ended' && (
        <div className="row chat-foot">
          <span className="faint grow">
            {[...(answers.length > 0 ? [tokensText(tokens)] : []), formatMs(durationMs ?? 0)].join(' · ')}
          </span>
          {answers.length > 0 && <CaseButtons of={of} turn={number} />}
        </div>
      )}
    </section>
  );
}

function Answer({ of, answer }: { of: ChatOf; answer: ChatAnswerState }) {
  const { text, reasoning, notes, calls } = answer;
  return (
    <div className="stack chat-answer">
      {reasoning !== '' && (
        <details>
          <summary className="faint">What the model thought</summary>
          <p className="chat-text faint" dir="auto">
            {reasoning}
          </p>
        </details>
      )}
      {text !== '' && (
        <p className="chat-text" dir="auto">
          {text}
        </p>
      )}
      {calls.map((call) => (
        <CallOfModel key={call.id} of={of} call={call} />
      ))}
      <Notes notes={notes} />
    </div>
  );
}

function tokensText({ inputTokens, outputTokens, isEstimate }: ChatTokens): string {
  const count = (value: number) => value.toLocaleString('en');
  return `${isEstimate ? 'about ' : ''}${count(inputTokens)} tokens in, ${count(outputTokens)} out`;
}

/** A project has a file of cases. Elsewhere a case is copied. */
function CaseButtons({ of, turn }: { of: ChatOf; turn: number }) {
  const hasProject = useOverview()?.access.includes('project') ?? false;
  const save = async () => {
    const { file, names } = await ask('saveChatCases', { ...of, turn });
    notify(`${names.length === 1 ? 'One case is' : `${names.length} cases are`} in ${file}.`);
  };
  const copy = async () => {
    const { cases } = await ask('casesOfChat', { ...of, turn });
    await navigator.clipboard.writeText(JSON.stringify(cases, null, 2));
    notify('The cases are copied.');
  };
  return (
    <>
      {hasProject && (
        <Button look="small" onClick={() => void save().catch(notifyError)}>
          <Save size={14} aria-hidden /> Save as case
        </Button>
      )}
      <Button look="small" onClick={() => void copy().catch(notifyError)}>
        Copy as case
      </Button>
    </>
  );
}
