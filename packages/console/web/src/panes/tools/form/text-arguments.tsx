import { useEffect, useId, useState } from 'react';
import type { Operation } from '../../../../../src/api/surface-api.js';
import { ask } from '../../../data/ask.js';
import { useIdentity, useServer } from '../../../data/current.js';
import { PlainForm } from '../../../ui/pieces.js';

interface Props {
  readonly operation: Operation;
  readonly value: Readonly<Record<string, unknown>>;
  readonly change: (value: Record<string, unknown>) => void;
  readonly send: () => void;
  readonly id: string;
}

interface TextProperty {
  readonly title?: string;
  readonly description?: string;
}

/** The arguments of prompts and templates: all of them text, completed as the person types. */
export function TextArguments({ operation, value, change, send, id }: Props) {
  const { properties = {}, required = [] } = operation.input as {
    properties?: Record<string, TextProperty>;
    required?: string[];
  };
  const set = (name: string, text: string) => {
    const { [name]: _, ...others } = value;
    change(text === '' ? others : { ...others, [name]: text });
  };
  return (
    <PlainForm id={id} send={send}>
      {Object.entries(properties).map(([name, property]) => (
        <TextArgument
          key={name}
          name={name}
          property={property}
          isRequired={required.includes(name)}
          operation={operation}
          known={value}
          set={(text) => set(name, text)}
        />
      ))}
      {Object.keys(properties).length === 0 && <p className="faint">It takes no arguments.</p>}
    </PlainForm>
  );
}

interface ArgumentProps {
  readonly name: string;
  readonly property: TextProperty;
  readonly isRequired: boolean;
  readonly operation: Operation;
  readonly known: Readonly<Record<string, unknown>>;
  readonly set: (text: string) => void;
}

function TextArgument({ name, property, isRequired, operation, known, set }: ArgumentProps) {
  const id = useId();
  const text = typeof known[name] === 'string' ? known[name] : '';
  const values = useCompletion(operation, name, text, known);
  return (
    <div className="field">
      <label htmlFor={id}>
        {property.title ?? name}
        {isRequired && <span aria-hidden> *</span>}
      </label>
      {property.description && (
        <p className="faint" dir="auto">
          {property.description}
        </p>
      )}
      <input
        id={id}
        value={text}
        required={isRequired}
        autoComplete="off"
        dir="auto"
        list={values.length > 0 ? `${id}values` : undefined}
        onChange={({ target }) => set(target.value)}
      />
      <datalist id={`${id}values`}>
        {values.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </div>
  );
}

/** How long the person must have stopped typing. */
const PAUSE_MS = 120;

function useCompletion(
  { kind, key, completes }: Operation,
  argument: string,
  value: string,
  all: Readonly<Record<string, unknown>>,
): readonly string[] {
  const [server] = useServer();
  const [as] = useIdentity();
  const [values, setValues] = useState<readonly string[]>([]);
  const others = Object.entries(all).filter(([name, each]) => name !== argument && typeof each === 'string');
  const known = JSON.stringify(Object.fromEntries(others));
  useEffect(() => {
    if (!server || !completes.includes(argument)) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const asked = {
        server: server.id,
        kind: kind as 'prompt' | 'resourceTemplate',
        key,
        argument,
        value,
        known: JSON.parse(known) as Record<string, string>,
        ...(as && { as }),
      };
      ask('complete', asked, abort.signal).then(
        (answer) => setValues(answer.values),
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [server, as, kind, key, completes, argument, value, known]);
  return values;
}
