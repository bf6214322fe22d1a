import { Columns3 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { CallRequest, OwnCall } from '../../../../src/api/call-api.js';
import { callOnce } from '../../data/live.js';
import { JsonView } from '../../ui/json-view.js';
import { notifyError } from '../../ui/notices.js';
import { Badge, Button } from '../../ui/pieces.js';
import { formatMs } from '../../ui/words.js';

interface Props {
  readonly request: CallRequest;
  /** Without arguments there is no call to make. */
  readonly disabled: boolean;
  readonly revisions: readonly NonNullable<CallRequest['revision']>[];
  /** Whether one call is as harmless as many. Otherwise the person is asked first. */
  readonly isReadOnly: boolean;
}

/** Makes one call on every revision of the protocol, and shows the answers side by side. */
export function AllRevisions({ request, disabled, revisions, isReadOnly }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [hasConsent, setConsent] = useState(false);
  const [calls, setCalls] = useState<Readonly<Record<string, OwnCall>>>({});
  const run = useRef<AbortController>(undefined);
  const start = async () => {
    const { signal } = (run.current = new AbortController());
    setCalls({});
    setConsent(true);
    for (const revision of revisions) {
      const call = await callOnce({ ...request, revision });
      if (signal.aborted) return;
      setCalls((known) => ({ ...known, [revision]: call }));
    }
  };
  const open = () => {
    dialog.current?.showModal();
    if (isReadOnly) void start().catch(notifyError);
  };
  const isAsking = !isReadOnly && !hasConsent;
  return (
    <>
      <Button title="Makes the call once on each revision of the protocol" onClick={open} disabled={disabled}>
        <Columns3 size={15} aria-hidden /> On all revisions
      </Button>
      <dialog
        ref={dialog}
        className={isAsking ? 'dialog' : 'dialog revisions-dialog'}
        aria-label="One call on all revisions"
        onClose={() => {
          run.current?.abort();
          setConsent(false);
        }}
      >
        {isAsking ? (
          <Consent
            name={request.key}
            count={revisions.length}
            agree={() => void start().catch(notifyError)}
            cancel={() => dialog.current?.close()}
          />
        ) : (
          <div className="stack">
            <h2>
              {request.key} on {revisions.length} revisions
            </h2>
            <Columns revisions={revisions} calls={calls} />
            <div className="row end">
              <Button onClick={() => dialog.current?.close()}>Close</Button>
            </div>
          </div>
        )}
      </dialog>
    </>
  );
}

interface ConsentProps {
  readonly name: string;
  readonly count: number;
  readonly agree: () => void;
  readonly cancel: () => void;
}

/** Says what will happen. The button that does nothing comes first, so it has the focus. */
function Consent({ name, count, agree, cancel }: ConsentProps) {
  return (
    <div className="stack">
      <h2>
        Call {name} {count} times?
      </h2>
      <p>
        This makes {count} real calls with the same arguments, one on each revision of the protocol. The tool
        is not marked as read-only: what it creates, changes or deletes, it may do {count} times.
      </p>
      <div className="row end">
        <Button onClick={cancel}>Cancel</Button>
        <Button look="danger" onClick={agree}>
          Make {count} calls
        </Button>
      </div>
    </div>
  );
}

function Columns({
  revisions,
  calls,
}: Pick<Props, 'revisions'> & { calls: Readonly<Record<string, OwnCall>> }) {
  const newest = calls[revisions[0]!];
  return (
    <div className="revision-columns" tabIndex={0} role="region" aria-label="Answers by revision">
      {revisions.map((revision) => {
        const call = calls[revision];
        return (
          <section key={revision} className="card stack" aria-label={revision}>
            <h3>{revision}</h3>
            {call ? <Answer call={call} newest={newest} /> : <p className="faint">running…</p>}
          </section>
        );
      })}
    </div>
  );
}

function Answer({ call, newest }: { call: OwnCall; newest: OwnCall | undefined }) {
  const { result, error, durationMs, tokens } = call;
  const compared = newest === undefined || newest === call ? undefined : compare(newest, call);
  return (
    <>
      <p className="row">
        {error || result?.['isError'] === true ? (
          <Badge tone="bad">error</Badge>
        ) : (
          <Badge tone="good">ok</Badge>
        )}
        {compared && <Badge tone="info">{compared}</Badge>}
        <span className="faint">
          {durationMs !== undefined && formatMs(durationMs)}
          {tokens !== undefined && `, about ${tokens.toLocaleString('en')} tokens`}
        </span>
      </p>
      {error && <p className="problem">{error.message}</p>}
      {result && <JsonView value={result} openTo={3} label="The result" />}
    </>
  );
}

/** In what an answer differs from the one of the newest revision. `undefined`: in its content. */
function compare(newest: OwnCall, call: OwnCall): string | undefined {
  if (contentOf(newest) !== contentOf(call)) return undefined;
  const [theirs, own] = [newest, call].map(({ result }) => JSON.stringify(result?.['structuredContent']));
  if (theirs === own) return 'the same content';
  // Revisions before 2025-06-18 know no structured content.
  return own === undefined ? 'the same text' : undefined;
}

/** What a model reads of a result, without what belongs to the revision. */
function contentOf({ result, error }: OwnCall): string {
  const { content, messages, contents } = result ?? {};
  return JSON.stringify([content, messages, contents, error?.message]);
}
