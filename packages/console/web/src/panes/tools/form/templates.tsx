import {
  getTemplate,
  type FieldErrorProps,
  type FieldTemplateProps,
  type IconButtonProps,
  type MultiSchemaFieldTemplateProps,
  type ObjectFieldTemplateProps,
  type TemplatesType,
} from '@rjsf/utils';
import { ArrowDown, ArrowUp, Copy, Plus, Trash2, X, type LucideIcon } from 'lucide-react';
import { Button } from '../../../ui/pieces.js';

/** A field with its label, its description and what is wrong with it. */
function FieldTemplate(props: FieldTemplateProps) {
  const { id, label, required, hidden, displayLabel, rawDescription, errors, help, children, registry } =
    props;
  if (hidden) return <div hidden>{children}</div>;
  const Additional = getTemplate('WrapIfAdditionalTemplate', registry, props.uiSchema);
  return (
    <Additional {...props}>
      <div className="field">
        {displayLabel && (
          <label htmlFor={id}>
            {label}
            {required && <span aria-hidden> *</span>}
          </label>
        )}
        {displayLabel && rawDescription && (
          <p id={`${id}__description`} className="faint">
            {rawDescription}
          </p>
        )}
        {children}
        {errors}
        {help}
      </div>
    </Additional>
  );
}

/** The properties of an object. Those of the arguments themselves need no frame. */
function ObjectFieldTemplate(props: ObjectFieldTemplateProps) {
  const { title, description, properties, fieldPathId, schema, onAddProperty, registry } = props;
  const { AddButton } = registry.templates.ButtonTemplates;
  const content = (
    <>
      {properties.map(({ content, name }) => (
        <div key={name}>{content}</div>
      ))}
      {schema.additionalProperties && (
        <AddButton registry={registry} onClick={onAddProperty} title={`Add to ${title}`} />
      )}
    </>
  );
  if (fieldPathId.path.length === 0) return <div className="stack">{content}</div>;
  return (
    <fieldset className="stack">
      {title && <legend>{title}</legend>}
      {description && <p className="faint">{description}</p>}
      {content}
    </fieldset>
  );
}

/** A choice between several forms of a value. */
function MultiSchemaFieldTemplate({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className="stack">
      <label className="field">
        <span className="unseen">Which of these</span>
        {selector}
      </label>
      {optionSchemaField}
    </div>
  );
}

function FieldErrorTemplate({ errors = [], fieldPathId }: FieldErrorProps) {
  if (errors.length === 0) return null;
  return (
    <div id={`${fieldPathId.$id}__error`} className="field-errors" role="alert">
      <ul>
        {errors.map((error, index) => (
          <li key={index}>{error}</li>
        ))}
      </ul>
    </div>
  );
}

function button(Icon: LucideIcon, text: string) {
  return function IconButton({ onClick, disabled, title }: IconButtonProps) {
    return (
      <Button
        look="small"
        onClick={onClick}
        disabled={disabled}
        aria-label={title ?? text}
        title={title ?? text}
      >
        <Icon size={14} aria-hidden />
        {text === 'Add' && text}
      </Button>
    );
  };
}

export const templates: Partial<TemplatesType> = {
  FieldTemplate,
  ObjectFieldTemplate,
  FieldErrorTemplate,
  MultiSchemaFieldTemplate,
  ButtonTemplates: {
    AddButton: button(Plus, 'Add'),
    CopyButton: button(Copy, 'Copy'),
    MoveDownButton: button(ArrowDown, 'Move down'),
    MoveUpButton: button(ArrowUp, 'Move up'),
    RemoveButton: button(Trash2, 'Remove'),
    ClearButton: button(X, 'Clear'),
    SubmitButton: () => null,
  } as TemplatesType['ButtonTemplates'],
};
