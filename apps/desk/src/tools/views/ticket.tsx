import type { ViewOf } from '@toolwright/views';
import { CallStatus, useCall } from '@toolwright/views/preact';
import { useState } from 'preact/hooks';
import './ticket.css';

/** What a person has written, and how the ticket is after their changes. It is there again when the page is loaded anew. */
interface Draft {
  readonly text: string;
}

/** A ticket with its replies. Where the host lets pages call tools, a person replies and closes it here. */
export default function Ticket({ result, view }: ViewOf<'get_ticket', Draft>) {
  const fresh = useCall(view, 'get_ticket');
  const ticket = fresh.result ?? result;
  const reload = () => void fresh.call.start({ ticketId: ticket.id });
  return (
    <article>
      <header>
        <h1>{ticket.subject}</h1>
        <p class="facts">
          <strong class={`status ${ticket.status}`}>{ticket.status}</strong> {ticket.id} · {ticket.customer} ·{' '}
          {ticket.assignee ?? 'nobody works on it'}
        </p>
      </header>
      <Message author={ticket.customer} at={ticket.createdAt} text={ticket.body} locale={view.host.locale} />
      {ticket.replies.map(({ author, text, at }) => (
        <Message key={at} author={author} at={at} text={text} locale={view.host.locale} />
      ))}
      {ticket.resolution !== null && <p>Closed: {ticket.resolution}</p>}
      {view.host.capabilities['serverTools'] !== undefined && (
        <Answer ticketId={ticket.id} view={view} changed={reload} />
      )}
      <CallStatus call={fresh.call} />
    </article>
  );
}

interface MessageProps {
  readonly author: string;
  readonly at: string;
  readonly text: string;
  readonly locale: string;
}

/** Customers write the texts. They stay texts. */
function Message({ author, at, text, locale }: MessageProps) {
  return (
    <section>
      <p class="facts">
        {author},{' '}
        <time dateTime={at}>{new Date(at).toLocaleDateString(locale, { dateStyle: 'medium' })}</time>
      </p>
      <p class="text">{text}</p>
    </section>
  );
}

interface AnswerProps {
  readonly ticketId: string;
  readonly view: ViewOf<'get_ticket', Draft>['view'];
  readonly changed: () => void;
}

/** The server decides who may reply, and what it refuses is shown. */
function Answer({ ticketId, view, changed }: AnswerProps) {
  const [text, setText] = useState(view.state?.text ?? '');
  const reply = useCall(view, 'reply_to_ticket');
  const close = useCall(view, 'close_ticket');
  const write = (typed: string) => {
    setText(typed);
    view.setState({ text: typed });
  };
  const send = async (run: () => Promise<void>, call: typeof reply.call | typeof close.call) => {
    await run();
    if (call.snapshot.phase !== 'done') return;
    write('');
    changed();
  };
  const isBusy = reply.phase === 'running' || close.phase === 'running';
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <label for="answer">Reply, or how it ended</label>
      <textarea
        id="answer"
        rows={4}
        value={text}
        onInput={({ currentTarget }) => write(currentTarget.value)}
      />
      <button
        type="button"
        disabled={isBusy || text.trim() === ''}
        onClick={() => void send(() => reply.call.start({ ticketId, text }), reply.call)}
      >
        Reply
      </button>{' '}
      <button
        type="button"
        disabled={isBusy || text.trim() === ''}
        onClick={() => void send(() => close.call.start({ ticketId, resolution: text }), close.call)}
      >
        Close with this text
      </button>
      <CallStatus call={reply.call} />
      <CallStatus call={close.call} />
    </form>
  );
}
