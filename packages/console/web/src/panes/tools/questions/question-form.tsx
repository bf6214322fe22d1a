import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import type { CallQuestion } from '../../../../../src/api/call-api.js';
import { ask } from '../../../data/ask.js';
import { JsonView } from '../../../ui/json-view.js';
import { notifyError } from '../../../ui/notices.js';
import { filled } from '../form/filled.js';
import { Button } from '../../../ui/pieces.js';

const SchemaForm = lazy(() => import('../form/schema-form.js'));

type Answer = Readonly<Record<string, unknown>>;

interface QuestionProps {
  readonly call: string;
  readonly question: CallQuestion;
  /** The person waits for this call. A question of somebody else's call must not take the focus away. */
  readonly takesFocus: boolean;
}

/** A question of a running call, answered by the person in place of a client or a model. */
export function QuestionForm({ call, question, takesFocus }: QuestionProps) {
  const reply = (answer: Answer) =>
    void ask('answerQuestion', { call, question: question.id, answer }).catch(notifyError);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!takesFocus) return undefined;
    const { current: shown } = box;
    const focus = () => {
      const input = shown?.querySelector<HTMLElement>('form input, form select, form textarea, button');
      input?.focus();
      return input !== null && input !== undefined;
    };
    if (focus()) return undefined;
    // The form is loaded with the first question.
    const loaded = new MutationObserver(() => focus() && loaded.disconnect());
    if (shown) loaded.observe(shown, { childList: true, subtree: true });
    return () => loaded.disconnect();
  }, [takesFocus]);
  return (
    <section ref={box} className="card question stack" aria-label={titles[question.method]}>
      <h4>{titles[question.method]}</h4>
      {question.method === 'elicitation/create' && (
        <Suspense fallback={<p className="faint">Loading…</p>}>
          <Elicitation params={question.params} reply={reply} />
        </Suspense>
      )}
      {question.method === 'sampling/createMessage' && <Sampling params={question.params} reply={reply} />}
      {question.method === 'roots/list' && <Roots reply={reply} />}
    </section>
  );
}

const titles = {
  'elicitation/create': 'The tool asks you',
  'sampling/createMessage': 'The tool asks the model: answer for it',
  'roots/list': 'The tool asks for the root folders',
};

interface Props {
  readonly params: Answer;
  readonly reply: (answer: Answer) => void;
}

function Elicitation({ params, reply }: Props) {
  const [content, setContent] = useState<Record<string, unknown>>({});
  const id = useId();
  const {
    message,
    requestedSchema: wanted,
    url,
  } = params as {
    message: string;
    requestedSchema?: Answer;
    url?: string;
  };
  const confirmation = wanted && onlyYes(wanted);
  // Where the only answer is a yes, the button is the answer.
  const requestedSchema = confirmation ? undefined : wanted;
  return (
    <div className="stack">
      <p className="description" dir="auto">
        {message}
      </p>
      {url !== undefined && (
        <p>
          It asks you to open <code>{url}</code>
        </p>
      )}
      {requestedSchema && (
        <SchemaForm
          id={id}
          schema={requestedSchema}
          value={content}
          change={setContent}
          send={() => reply({ action: 'accept', content: filled(requestedSchema, content) })}
        />
      )}
      <div className="row">
        {requestedSchema ? (
          <Button type="submit" form={id} look="primary">
            Accept
          </Button>
        ) : (
          <Button
            look="primary"
            onClick={() => reply({ action: 'accept', ...(confirmation && { content: confirmation }) })}
          >
            Accept
          </Button>
        )}
        <Button onClick={() => reply({ action: 'decline' })}>Decline</Button>
        <Button onClick={() => reply({ action: 'cancel' })}>Cancel</Button>
      </div>
    </div>
  );
}

/** The answer to a question that asks for one yes and nothing else, such as that of `@Confirm`. */
function onlyYes({ properties = {} }: Answer): Answer | undefined {
  const [[name, property] = [], ...others] = Object.entries(properties as Record<string, Answer>);
  const isOne = name !== undefined && others.length === 0 && property?.['type'] === 'boolean';
  return isOne ? { [name]: true } : undefined;
}

function Sampling({ params, reply }: Props) {
  const [text, setText] = useState('');
  const id = useId();
  const send = (event: React.FormEvent) => {
    event.preventDefault();
    reply({ role: 'assistant', content: { type: 'text', text }, model: 'person', stopReason: 'endTurn' });
  };
  return (
    <form className="stack" onSubmit={send}>
      <JsonView value={params} openTo={4} label="What the model is asked" />
      <label htmlFor={id}>Answer of the model</label>
      <textarea id={id} rows={4} value={text} onChange={({ target }) => setText(target.value)} />
      <div className="row">
        <Button type="submit" look="primary">
          Answer
        </Button>
      </div>
    </form>
  );
}

function Roots({ reply }: Pick<Props, 'reply'>) {
  const [text, setText] = useState('');
  const id = useId();
  const send = (event: React.FormEvent) => {
    event.preventDefault();
    const uris = text.split(/\s+/).filter(Boolean);
    reply({ roots: uris.map((uri) => ({ uri })) });
  };
  return (
    <form className="stack" onSubmit={send}>
      <label htmlFor={id}>URIs, one a line, such as file:///home/me/project</label>
      <textarea id={id} rows={3} value={text} onChange={({ target }) => setText(target.value)} />
      <div className="row">
        <Button type="submit" look="primary">
          Answer
        </Button>
      </div>
    </form>
  );
}
