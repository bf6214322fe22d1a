import { useEffect, useRef, useState } from 'react';
import type { Typed } from '../../../ui/read-json.js';
import { isSame } from './part-of.js';

interface Props {
  readonly id: string;
  readonly name: string;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
  readonly read: (text: string) => Typed;
  readonly show: (value: unknown) => string;
  readonly hasLines?: boolean;
  readonly placeholder?: string | undefined;
}

/** A field whose text is read as a value. While it cannot be read, it says why, and the form is not sent. */
export function TypedText({ id, name, value, change, read, show, hasLines = false, placeholder }: Props) {
  const [text, setText] = useState(() => textOf(value, show));
  const [known, setKnown] = useState(value);
  const [problem, setProblem] = useState('');
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  // The value has changed elsewhere, such as by a saved call.
  if (!isSame(known, value)) {
    setKnown(value);
    setText(textOf(value, show));
    setProblem('');
  }
  useEffect(() => field.current?.setCustomValidity(problem), [problem]);
  const type = (next: string) => {
    const typed = read(next);
    const [found, wrong] = 'value' in typed ? [typed.value, ''] : [undefined, typed.problem];
    setText(next);
    setProblem(wrong);
    setKnown(found);
    change(found);
  };
  const shared = {
    id,
    name,
    placeholder,
    value: text,
    spellCheck: false,
    autoComplete: 'off',
    dir: 'auto',
    'aria-invalid': problem !== '',
    'aria-describedby': problem === '' ? undefined : `${id}problem`,
    onChange: ({ target }: { target: { value: string } }) => type(target.value),
  };
  return (
    <>
      {hasLines ? (
        <textarea ref={field} className="mono" rows={Math.min(12, text.split('\n').length + 1)} {...shared} />
      ) : (
        <input ref={field} inputMode="decimal" {...shared} />
      )}
      {problem !== '' && (
        <p id={`${id}problem`} className="field-unread">
          {problem}
        </p>
      )}
    </>
  );
}

function textOf(value: unknown, show: Props['show']): string {
  return value === undefined ? '' : show(value);
}
