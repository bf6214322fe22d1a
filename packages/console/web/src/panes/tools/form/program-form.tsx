import { useId, useRef, useState } from 'react';
import type { Operation } from '../../../../../src/api/surface-api.js';
import { useAsk } from '../../../data/ask.js';
import { useIdentity, useServer } from '../../../data/current.js';
import { formatMs } from '../../../ui/words.js';
import { Button, PlainForm } from '../../../ui/pieces.js';
import { completionsAt } from './program-names.js';

/** The tool of `@toolwright/code` that runs programs. */
export const isRunCode = ({ kind, key }: Pick<Operation, 'kind' | 'key'>): boolean =>
  kind === 'tool' && key === 'run_code';

interface Props {
  readonly value: Readonly<Record<string, unknown>>;
  readonly change: (value: Record<string, unknown>) => void;
  readonly send: () => void;
  readonly id: string;
}

/** A program is written in a field of its own. The names of tools that fit are below it, one Tab away. */
export function ProgramForm({ value, change, send, id }: Props) {
  const [server] = useServer();
  const [as] = useIdentity();
  const { data } = useAsk('programs', server && { server: server.id, ...(as && { as }) });
  const [cursor, setCursor] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const fieldId = useId();
  const code = typeof value['code'] === 'string' ? value['code'] : '';
  const { tools = [], limits } = data?.programs ?? {};
  const found = completionsAt(
    code.slice(0, cursor),
    tools.map(({ name }) => name),
  );
  const write = (text: string) => change(text === '' ? {} : { code: text });
  const insert = (from: number, text: string) => {
    write(code.slice(0, from) + text + code.slice(cursor));
    setCursor(from + text.length);
    const { current } = field;
    current?.focus();
    requestAnimationFrame(() => current?.setSelectionRange(from + text.length, from + text.length));
  };
  return (
    <PlainForm id={id} send={send}>
      <div className="field">
        <label htmlFor={fieldId}>
          Program <span aria-hidden>*</span>
        </label>
        <textarea
          ref={field}
          id={fieldId}
          className="mono"
          rows={14}
          required
          spellCheck={false}
          autoComplete="off"
          value={code}
          onChange={({ target }) => {
            setCursor(target.selectionStart);
            write(target.value);
          }}
          onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
        />
        {found.length > 0 && (
          <div className="chips" role="group" aria-label="Tools that fit">
            {found.map(({ name, from, text }) => (
              <Button key={name} className="chip" onClick={() => insert(from, text)}>
                {name}
              </Button>
            ))}
          </div>
        )}
        {limits && (
          <p className="faint">
            {tools.length} tools may be called, at most {limits.calls} times. A program may work for{' '}
            {formatMs(limits.time)}.
          </p>
        )}
      </div>
    </PlainForm>
  );
}
