import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { ValueProblem } from '../../../../../../json/src/validation/explain-value.js';
import { Properties } from './composite-fields.js';
import { Field } from './field.js';
import './form.css';
import { FormContext } from './form-state.js';
import { partOf, resolved, type Schema } from './part-of.js';
import { placeOf, useProblems } from './use-problems.js';

export interface SchemaFormProps {
  readonly schema: Schema;
  readonly value: unknown;
  readonly change: (value: Record<string, unknown>) => void;
  /** Is called when the person sends a form whose values fit the schema. */
  readonly send: () => void;
  readonly id: string;
}

/** A form for a JSON Schema. It has no button of its own: a button elsewhere names it with `form`. */
export default function SchemaForm({ schema, value, change, send, id }: SchemaFormProps) {
  const box = useRef<HTMLFormElement>(null);
  const { all, submit } = useProblems(schema, value, box);
  const state = useMemo(() => ({ root: schema, problems: all, id, Field }), [schema, all, id]);
  // Arguments are an object, whether or not the schema says so.
  const shown = useMemo(() => ({ ...resolved(schema, schema), type: 'object' }), [schema]);
  const part = partOf({ properties: {}, ...shown }, schema);
  const field = {
    schema: shown,
    name: 'Arguments',
    pointer: '',
    value,
    change: (next: unknown) => change((next ?? {}) as Record<string, unknown>),
    isRequired: true,
  };
  return (
    <form
      ref={box}
      id={id}
      className="schema-form stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(send);
      }}
    >
      <FormContext value={state}>
        {part.kind === 'object' ? <Properties {...field} extra={part.extra} /> : <Field {...field} />}
      </FormContext>
      <Unplaced problems={all} box={box} />
    </form>
  );
}

/** What is wrong in a place that the form has no field for, such as a property that the schema does not know. */
function Unplaced({
  problems,
  box,
}: {
  problems: readonly ValueProblem[];
  box: RefObject<HTMLElement | null>;
}) {
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    const placed = box.current?.querySelectorAll('.field-errors:not(.unplaced) li').length ?? 0;
    setMissing(placed < problems.length);
  }, [problems, box]);
  if (!isMissing || problems.length === 0) return null;
  return (
    <div className="field-errors unplaced" role="alert">
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.pointer} ${problem.message}`}>
            <code>{placeOf(problem)}</code>: {problem.message}
          </li>
        ))}
      </ul>
    </div>
  );
}
