/** @jsxImportSource react */
import { useEffect, useRef, useState } from 'react';
import type { ViewOf } from '@toolwright/views';
import './view-name.css';

type Result = ViewOf<'view_name'>['result'];
type Action = Result['actions'][number];

interface Field {
  title: string;
  text(order: Result['order'], locale: string): string;
}

/** The fields, from top to bottom. */
const fields: Field[] = [
  { title: 'Customer', text: ({ customer }) => customer },
  { title: 'Status', text: ({ status }) => status },
  {
    title: 'Placed',
    text: ({ placed }, locale) =>
      new Date(placed).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' }),
  },
  {
    title: 'Total',
    text: ({ total }, locale) => total.toLocaleString(locale, { style: 'currency', currency: 'EUR' }),
  },
];

/** A question of the server that waits for an answer. */
interface Question {
  text: string;
  action: Action;
  answer(isYes: boolean): void;
}

export default function Details({ result, view }: ViewOf<'view_name', Result>) {
  const [{ order, actions }, setRecord] = useState(view.state ?? result);
  const [running, setRunning] = useState<Action>();
  const [outcome, setOutcome] = useState({ text: '', isProblem: false });
  const [question, setQuestion] = useState<Question>();
  const dialog = useRef<HTMLDialogElement>(null);
  const message = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    if (question) dialog.current?.showModal();
    else dialog.current?.close();
  }, [question]);

  // An action may take its own button away. Then the message gets the focus.
  useEffect(() => {
    if (outcome.text && document.activeElement === document.body) message.current?.focus();
  }, [outcome]);

  async function run(action: Action) {
    if (running) return;
    setRunning(action);
    setOutcome({ text: '', isProblem: false });
    // Whether a person is asked, and what, is up to the server: it has `@Confirm` on the tool.
    const confirm = (text: string) =>
      new Promise<boolean>((resolve) => setQuestion({ text, action, answer: resolve }));
    try {
      const changed = await view.call(action.tool, { id: order.id }, { confirm });
      setRecord(changed);
      view.setState(changed);
      setOutcome({ text: `Done: ${action.title}.`, isProblem: false });
      view.tellModel(`The user did this with order ${order.id}: ${action.title}.`).catch(() => {});
    } catch (error) {
      setOutcome({ text: (error as Error).message, isProblem: true });
    } finally {
      setRunning(undefined);
    }
  }

  function answer(isYes: boolean) {
    question?.answer(isYes);
    setQuestion(undefined);
  }

  return (
    <article aria-labelledby="title">
      <h1 id="title">Order {order.id}</h1>
      <dl>
        {fields.map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text(order, view.host.locale)}</dd>
          </div>
        ))}
      </dl>
      {actions.length > 0 && (
        <div className="actions">
          {actions.map((action) => (
            // A button that cannot be used keeps the focus.
            <button
              key={action.tool}
              type="button"
              className={action.tone}
              aria-disabled={running !== undefined}
              onClick={() => void run(action)}
            >
              {running?.tool === action.tool ? `${action.title}…` : action.title}
            </button>
          ))}
        </div>
      )}
      <p
        ref={message}
        role={outcome.isProblem ? 'alert' : 'status'}
        className={outcome.isProblem ? 'problem' : undefined}
        tabIndex={-1}
      >
        {outcome.text}
      </p>
      <dialog ref={dialog} aria-labelledby="question" onClose={() => answer(false)}>
        <p id="question">{question?.text}</p>
        <div className="actions">
          <button type="button" onClick={() => answer(false)}>
            No, go back
          </button>
          <button type="button" className={question?.action.tone} onClick={() => answer(true)}>
            Yes: {question?.action.title}
          </button>
        </div>
      </dialog>
    </article>
  );
}
