import type { OwnCall } from '../../../../src/api/call-api.js';
import type { Operation } from '../../../../src/api/surface-api.js';
import { hrefOf } from '../../shell/route.js';
import { FailureView, useRecordedCall } from '../calls/failure-view.js';
import { RefusalView } from '../calls/refusal-view.js';
import { Badge } from '../../ui/pieces.js';
import { formatMs, useNow } from '../../ui/words.js';
import { JsonView } from '../../ui/json-view.js';
import { QuestionForm } from './questions/question-form.js';
import { ResultView } from './result/result-view.js';

interface Props {
  readonly call: OwnCall;
  readonly operation: Operation;
  /** The person has made it here. */
  readonly isOwn?: boolean;
}

/** A call of the console: its questions, its progress, its log and its result. */
export function CallView({ call, operation, isOwn = false }: Props) {
  const { state, questions, progress, log, result, error, durationMs, tokens, trace, task } = call;
  const last = progress.at(-1);
  const taskProgress = last ?? progressIn(task?.message);
  // A page says that its tool works, and shows what has come of a result before the result is there.
  const isShownEarly =
    operation.app !== undefined && (state === 'running' || progress.length > 0 || task !== undefined);
  const shown = result ?? (isShownEarly ? {} : undefined);
  const recorded = useRecordedCall(call.request.server, trace);
  return (
    <div className="stack">
      <div className="row">
        <h3>Result</h3>
        <CallState call={call} />
        {task && <Badge tone="info">task: {task.status.replace('_', ' ')}</Badge>}
        {durationMs === undefined ? (
          <Elapsed since={call.at} />
        ) : (
          <span className="faint">{formatMs(durationMs)}</span>
        )}
        {tokens !== undefined && <span className="faint">about {tokens.toLocaleString('en')} tokens</span>}
        {trace !== undefined && <a href={hrefOf('calls', String(trace))}>trace</a>}
      </div>
      {questions.map((question) => (
        <QuestionForm key={question.id} call={call.id} question={question} takesFocus={isOwn} />
      ))}
      {task?.message !== undefined && state !== 'ended' && (
        <p role="status">
          <span dir="auto">{task.message}</span>{' '}
          <progress
            aria-label="The task works"
            {...(taskProgress && { value: taskProgress.progress, max: taskProgress.total })}
          />
        </p>
      )}
      {last && !task && state !== 'ended' && (
        <label className="stack">
          <span dir="auto">{last.message ?? 'Progress'}</span>
          <progress value={last.progress} max={last.total} />
        </label>
      )}
      {error && (
        <div className="problem stack">
          <p>
            {error.code !== undefined && <code>{error.code} </code>}
            {error.message}
          </p>
          {error.data !== undefined && <JsonView value={error.data} label="Data of the error" />}
        </div>
      )}
      <FailureView reference={recorded?.reference} />
      {recorded && <RefusalView call={recorded} />}
      {shown && <ResultView result={shown} call={call} operation={operation} />}
      {log.length > 0 && (
        <details open={state !== 'ended'}>
          <summary>{log.length} log messages</summary>
          <ul className="mono">
            {log.map(({ level, data }, index) => (
              <li key={index}>
                <Badge tone={level === 'error' ? 'bad' : level === 'warning' ? 'warn' : 'plain'}>
                  {level}
                </Badge>{' '}
                {typeof data === 'string' ? data : JSON.stringify(data)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** The protocol tells of a task in words only. A server writes "5 of 20" when the tool says nothing else. */
function progressIn(message = ''): { progress: number; total: number } | undefined {
  const [, progress, total] = /\b(\d+) of (\d+)\b/.exec(message)?.map(Number) ?? [];
  return progress !== undefined && total !== undefined && progress <= total ? { progress, total } : undefined;
}

/** How long a call has taken so far. */
function Elapsed({ since }: { since: number }) {
  const now = useNow(100);
  return <span className="faint elapsed">{formatMs(Math.max(0, now - since))} so far</span>;
}

function CallState({ call: { state, error, result } }: { call: OwnCall }) {
  if (state === 'running') return <Badge tone="info">running</Badge>;
  if (state === 'asking') return <Badge tone="warn">asks</Badge>;
  if (error) return <Badge tone="bad">error</Badge>;
  return result?.['isError'] === true ? <Badge tone="bad">isError</Badge> : <Badge tone="good">ok</Badge>;
}
