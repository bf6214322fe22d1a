import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Plus, SendHorizontal, Square } from 'lucide-react';
import type { ChatOf } from '../../../../src/api/chat-api.js';
import { ask } from '../../data/ask.js';
import { useChat, useIdentity } from '../../data/current.js';
import { notifyError } from '../../ui/notices.js';
import { Button, Empty, Missing } from '../../ui/pieces.js';
import { TurnView } from './turn-view.js';
import './chat.css';

/** A chat with a model of the person. It calls tools as the chosen caller, through all guards. */
export default function ChatPane() {
  const { of, data: chat, error } = useChat();
  const [as] = useIdentity();
  const end = useRef<HTMLDivElement>(null);
  const turns = chat?.turns ?? [];
  const last = turns.at(-1);
  const isRunning = last?.state === 'running';
  useEffect(() => {
    // Newer browsers return a promise, which React would take for the end of the effect.
    void end.current?.scrollIntoView({ block: 'nearest' });
  }, [last]);
  if (!of || !chat) return <Missing what="The chat" error={error} />;
  if (!chat.model) return <Empty title="No model is set">{chat.off}</Empty>;
  const caller = as?.subject ?? 'an anonymous caller';
  return (
    <div className="chat">
      <div className="row chat-head">
        <p className="grow">
          <b>{chat.model.name}</b> at <code>{chat.model.host}</code> calls tools as <b>{caller}</b>. Messages
          and results go there.
        </p>
        <Button onClick={() => void ask('newChat', of).catch(notifyError)} disabled={turns.length === 0}>
          <Plus size={15} aria-hidden /> New chat
        </Button>
      </div>
      <div className="chat-turns" tabIndex={0} role="log" aria-label="Turns of the chat">
        {turns.length === 0 && (
          <Empty title="Ask as a person would">
            The model gets the tools that {caller} sees, and the instructions of the server. A call that may
            change something waits until you agree. A turn that went right can be saved as a case of an
            evaluation.
          </Empty>
        )}
        {turns.map((turn) => (
          <TurnView key={turn.number} of={of} turn={turn} />
        ))}
        <div ref={end} />
      </div>
      <Composer of={of} isRunning={isRunning} key={String(as?.subject)} />
    </div>
  );
}

/** The field for the next message. Enter sends it, and Shift with Enter begins a new line. */
function Composer({ of, isRunning }: { of: ChatOf; isRunning: boolean }) {
  const [text, setText] = useState('');
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (isRunning || text.trim() === '') return;
    // The next text may be begun before the answer comes. What was not taken comes back.
    setText('');
    ask('sendToChat', { ...of, text }).catch((error: unknown) => {
      setText((next) => next || text);
      notifyError(error);
    });
  };
  return (
    <form className="row chat-composer" onSubmit={send}>
      <textarea
        aria-label="Your message"
        placeholder="Your message"
        rows={2}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          // While a person composes a letter of another script, Enter ends the letter.
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event);
        }}
      />
      {isRunning ? (
        <Button look="danger" onClick={() => void ask('stopChat', of).catch(notifyError)}>
          <Square size={14} aria-hidden /> Stop
        </Button>
      ) : (
        <Button type="submit" look="primary" disabled={text.trim() === ''}>
          <SendHorizontal size={15} aria-hidden /> Send
        </Button>
      )}
    </form>
  );
}
