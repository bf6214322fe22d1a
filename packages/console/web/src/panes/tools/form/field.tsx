import { useState } from 'react';
import { ListField, ObjectField, TupleField } from './composite-fields.js';
import { started } from './filled.js';
import { type FieldProps, useForm } from './form-state.js';
import { Frame, type KnownProps, titleOf } from './frame.js';
import { nameOfBranch } from './name-branches.js';
import { branchOf, fits, partOf, resolved, type Schema } from './part-of.js';
import { SimpleField, Ticks } from './simple-fields.js';

/** The field of one place of a form, whatever its schema is. */
export function Field(props: FieldProps) {
  const { root } = useForm();
  const schema = resolved(root, props.schema);
  const part = partOf(schema, root);
  switch (part.kind) {
    case 'object':
      return <ObjectField {...props} schema={schema} extra={part.extra} />;
    case 'list':
      return <ListField {...props} schema={schema} items={part.items} />;
    case 'tuple':
      return <TupleField {...props} schema={schema} places={part.places} rest={part.rest} />;
    case 'choices':
      return <Ticks {...props} schema={schema} choices={part.choices} />;
    case 'union':
      return <Union {...props} schema={schema} branches={part.branches} />;
    default:
      return <SimpleField {...props} schema={schema} part={part} />;
  }
}

/** A choice between several forms of a value, and the chosen form. */
function Union({ branches, ...props }: KnownProps & { branches: readonly Schema[] }) {
  const { root } = useForm();
  const { pointer, value, change, isRequired, schema, name } = props;
  const [picked, pick] = useState<number>();
  // What is shown changes with the value, as far as the form that the person has picked cannot hold it.
  const first = isRequired ? 0 : undefined;
  const found = value === undefined ? first : branchOf(branches, value, root);
  const chosen = picked !== undefined && fits(branches[picked], value, root, 0) ? picked : found;
  const choose = (index: number) => {
    const branch = branches[index];
    pick(branch ? index : undefined);
    change(branch && started(branch, root));
  };
  const branch = chosen === undefined ? undefined : branches[chosen];
  const hasInner = branch !== undefined && partOf(resolved(root, branch), root).kind !== 'const';
  return (
    <Frame {...props} hasInner={hasInner}>
      <div className="field">
        <select
          name={pointer}
          aria-label="Which of these"
          value={chosen ?? -1}
          onChange={({ target }) => choose(Number(target.value))}
        >
          {!isRequired && <option value={-1}>not set</option>}
          {isRequired && chosen === undefined && <option value={-1}>something else</option>}
          {branches.map((each, index) => (
            <option key={index} value={index}>
              {nameOfBranch(root, each)}
            </option>
          ))}
        </select>
      </div>
      {hasInner && (
        <Field
          key={chosen}
          schema={{ ...branch, title: undefined, description: undefined }}
          name={titleOf(schema, name)}
          pointer={pointer}
          value={value}
          change={change}
          isRequired
          isInner
        />
      )}
    </Frame>
  );
}
