import type { ReactNode } from 'react';
import { type FieldProps, useForm } from './form-state.js';
import type { Schema } from './part-of.js';

export interface KnownProps extends FieldProps {
  readonly schema: Schema;
}

interface FrameProps extends KnownProps {
  /** The id of the only field. Default: there are several, and a frame around them. */
  readonly id?: string;
  readonly children: ReactNode;
  /** What is wrong is shown by a frame inside. */
  readonly hasInner?: boolean;
}

/** A label, a description, and what is wrong. */
export function Frame({ id, children, hasInner, ...props }: FrameProps) {
  const { name, schema, isRequired, action, isInner } = props;
  const look = isInner ? 'unseen' : undefined;
  const title = titleOf(schema, name);
  const description = <Description schema={schema} />;
  if (id === undefined)
    return (
      <fieldset className={isInner ? 'inner stack' : 'field stack'}>
        <legend className={look}>
          {title}
          {isRequired && <span aria-hidden> *</span>} {action}
        </legend>
        {description}
        {children}
        {!hasInner && <Problems {...props} />}
      </fieldset>
    );
  return (
    <div className="field">
      <span className="row">
        <label htmlFor={id} className={look}>
          {title}
          {isRequired && <span aria-hidden> *</span>}
        </label>
        {action}
      </span>
      {description}
      {children}
      <Problems {...props} isLeaf />
    </div>
  );
}

export function titleOf({ title }: Schema, name: string): string {
  return typeof title === 'string' && title !== '' ? title : name;
}

export function Description({ schema: { description } }: { schema: Schema }) {
  return typeof description === 'string' ? (
    <p className="faint" dir="auto">
      {description}
    </p>
  ) : null;
}

/** What is wrong here. @param isLeaf nothing further inside has a field */
export function Problems({ pointer, isLeaf }: { pointer: string; isLeaf?: boolean }) {
  const { problems } = useForm();
  const own = problems.filter(
    (each) => each.pointer === pointer || (isLeaf && each.pointer.startsWith(`${pointer}/`)),
  );
  if (own.length === 0) return null;
  return (
    <div className="field-errors" role="alert">
      <ul>
        {own.map(({ message }, index) => (
          <li key={index}>{message}</li>
        ))}
      </ul>
    </div>
  );
}
