import type { ViewOf } from '@toolwright/views';
import { CallStatus, useCall } from '@toolwright/views/preact';
import { useState } from 'preact/hooks';

/** Shows what `find_notes` returns. `npm run dev` loads it anew after each edit, in the console. */
export default function Notes({ result, args, view }: ViewOf<'find_notes'>) {
  const [text, setText] = useState('');
  const added = useCall(view, 'add_note');
  const { call } = added;
  const add = async () => {
    await call.start({ text });
    if (call.snapshot.phase === 'done') setText('');
  };
  const notes = added.result ? [added.result, ...result.notes] : result.notes;
  return (
    <section>
      <h1>Notes with “{args.query}”</h1>
      <ul>
        {notes.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
      <label>
        New note <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>{' '}
      <button disabled={text === '' || added.phase === 'running'} onClick={() => void add()}>
        Add
      </button>
      <CallStatus call={call} />
    </section>
  );
}
