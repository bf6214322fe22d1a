import { Hourglass, Play, Save, Square } from 'lucide-react';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import type { CallRequest, OwnCall } from '../../../../src/api/call-api.js';
import type { Operation } from '../../../../src/api/surface-api.js';
import { ask, useAct } from '../../data/ask.js';
import { Setting, useIdentity, useServer, useSetting } from '../../data/current.js';
import { draftOf, ownCalls, setDraft, useFound, useKeyed } from '../../data/live.js';
import { notifyError } from '../../ui/notices.js';
import { JsonEditor } from '../../ui/editor/json-editor.js';
import { AllRevisions } from './all-revisions.js';
import { CallView } from './call-view.js';
import { CodeDialog } from './code-dialog.js';
import { SavedCalls } from './saved-calls.js';
import { isRunCode, ProgramForm } from './form/program-form.js';
import { TextArguments } from './form/text-arguments.js';
import { filled, filledWithBlanks } from './form/filled.js';
import { Button } from '../../ui/pieces.js';
import { commandKey } from '../../ui/words.js';
import { readObject } from '../../ui/read-json.js';

const SchemaForm = lazy(() => import('./form/schema-form.js'));

const modeSetting = new Setting<'form' | 'json'>('call-mode', 'form');
const revisionSetting = new Setting<CallRequest['revision'] | ''>('revision', '');
const revisions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

const lastCalls = new Map<string, string>();

/** A form for the arguments, and the call that was made with them. */
export function CallPanel({ operation }: { operation: Operation }) {
  const { kind, key, input } = operation;
  const id = `${kind} ${key}`;
  const [server] = useServer();
  const [as] = useIdentity();
  const [mode, setMode] = useSetting(modeSetting);
  const [revision, setRevision] = useSetting(revisionSetting);
  const [args, setArgs] = useState<Record<string, unknown>>(() => draftOf(kind, key));
  const sent = filled(input, args);
  const [text, setText] = useState(() => textOf(input, args));
  const [callId, setCallId] = useState(lastCalls.get(id));
  const call = useKeyed(ownCalls, callId);
  // A coding agent, or the page of an app, may have started a call that asks something.
  const asking = useFound(
    ownCalls,
    ({ id, state, request: other }) =>
      state === 'asking' && id !== callId && other.kind === kind && other.key === key,
  );
  const start = useAct('startCall');
  const formId = useId();

  const change = (next: Record<string, unknown>) => {
    setDraft(kind, key, next);
    setArgs(next);
    setText(textOf(input, next));
  };
  const edit = (next: string) => {
    setText(next);
    const read = readObject(next);
    if (read) {
      setDraft(kind, key, read);
      setArgs(read);
    }
  };
  // `undefined` while the text is not a JSON object. What was filled in before does not stand in for what is seen.
  const given = mode === 'json' ? readObject(text) : sent;
  const request: CallRequest | undefined = server && {
    server: server.id,
    kind,
    key,
    arguments: given ?? {},
    ...(as && { as }),
    ...(revision && { revision }),
  };
  const send = async (asTask = false) => {
    if (!request) return;
    if (!given) return notifyError(new Error('The arguments are no JSON object.'));
    // The call before has another answer than this one.
    setCallId(undefined);
    try {
      const started: OwnCall = await start.mutateAsync(asTask ? { ...request, asTask } : request);
      if (!ownCalls.get(started.id)) ownCalls.set(started.id, started);
      lastCalls.set(id, started.id);
      setCallId(started.id);
    } catch (error) {
      setCallId(lastCalls.get(id));
      notifyError(error);
    }
  };
  /** What the person asked for last. The form is sent later, and perhaps only after a repair. */
  const asTask = useRef(false);
  const run = (wantsTask: boolean) => {
    asTask.current = wantsTask;
    if (mode === 'json') void send(wantsTask);
    else (document.getElementById(formId) as HTMLFormElement | null)?.requestSubmit();
  };
  const sendForm = () => void send(asTask.current);
  const isRunning = call !== undefined && call.state !== 'ended';
  const isText = kind === 'prompt' || kind === 'resourceTemplate';

  return (
    <div className="call-panel">
      <section
        className="stack"
        aria-label="Arguments"
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            run(false);
          }
        }}
      >
        <div className="row">
          <div className="chips grow" role="group" aria-label="How to fill in">
            {(['form', 'json'] as const).map((each) => (
              <Button key={each} className="chip" aria-pressed={mode === each} onClick={() => setMode(each)}>
                {each === 'form' ? 'Form' : 'JSON'}
              </Button>
            ))}
          </div>
          <select
            className="revision"
            aria-label="Revision of the protocol"
            value={revision ?? ''}
            onChange={({ target }) => setRevision(target.value as typeof revision)}
          >
            <option value="">newest revision</option>
            {revisions.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </div>
        <Suspense fallback={<p className="faint">Loading…</p>}>
          <div className="form-scroll">
            {mode === 'json' ? (
              <JsonEditor value={text} change={edit} label="Arguments as JSON" />
            ) : isRunCode(operation) ? (
              <ProgramForm value={args} change={change} send={sendForm} id={formId} />
            ) : isText ? (
              <TextArguments operation={operation} value={args} change={change} send={sendForm} id={formId} />
            ) : (
              <SchemaForm schema={input} value={args} change={change} send={sendForm} id={formId} />
            )}
          </div>
          <div className="row call-actions">
            {mode === 'json' ? (
              <Button look="primary" onClick={() => void send()} disabled={start.isPending}>
                <Play size={15} aria-hidden /> {verbs[kind]}
              </Button>
            ) : (
              // Enter in a field is a click on this button, too.
              <Button
                type="submit"
                form={formId}
                look="primary"
                onClick={() => (asTask.current = false)}
                disabled={start.isPending}
              >
                <Play size={15} aria-hidden /> {verbs[kind]}
              </Button>
            )}
            {operation.task === 'optional' && (
              <Button
                title="The server answers at once, and the work goes on as a task"
                onClick={() => run(true)}
                disabled={start.isPending}
              >
                <Hourglass size={15} aria-hidden /> Run as task
              </Button>
            )}
            {isRunning && (
              <Button
                look="danger"
                onClick={() => void ask('cancelCall', { call: call.id }).catch(notifyError)}
              >
                <Square size={14} aria-hidden /> Cancel the call
              </Button>
            )}
            <kbd title="Sends the call">{commandKey('Enter')}</kbd>
            <span className="grow" />
            <SavedCalls operation={operation} current={given} use={change} icon={Save} />
            {request && (
              <AllRevisions
                request={request}
                disabled={!given}
                revisions={revisions}
                isReadOnly={kind !== 'tool' || isReadOnly(operation)}
              />
            )}
            {request && <CodeDialog request={request} disabled={!given} />}
          </div>
        </Suspense>
      </section>
      <section aria-label="Result" aria-live="polite" className="result-area">
        {asking && <CallView call={asking} operation={operation} />}
        {call && <CallView key={call.id} call={call} operation={operation} isOwn />}
      </section>
    </div>
  );
}

const verbs = { tool: 'Call', prompt: 'Get', resource: 'Read', resourceTemplate: 'Read' } as const;

/** Arguments as JSON. What is required and not filled in yet is there to be changed. */
function textOf(schema: Operation['input'], args: unknown): string {
  return JSON.stringify(filledWithBlanks(schema, args), null, 2);
}

function isReadOnly({ listed }: Operation): boolean {
  return (listed['annotations'] as { readOnlyHint?: boolean } | undefined)?.readOnlyHint === true;
}
