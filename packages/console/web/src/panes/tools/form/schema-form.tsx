import Form from '@rjsf/core';
import type { UiSchema } from '@rjsf/utils';
import { useMemo } from 'react';
import { fields } from './base64-field.js';
import { formSchema } from './form-schema.js';
import { interpretedValidator } from './interpreted-validator.js';
import { templates } from './templates.js';
import { uiSchemaOf } from './ui-schema.js';
import './form.css';

export interface SchemaFormProps {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value: unknown;
  readonly change: (value: Record<string, unknown>) => void;
  /** Is called when the person sends a form whose values fit the schema. */
  readonly send: () => void;
  readonly id: string;
}

/** A form for a JSON Schema. It has no button of its own: a button elsewhere names it with `form`. */
export default function SchemaForm({ schema, value, change, send, id }: SchemaFormProps) {
  const shown = useMemo(() => formSchema(schema), [schema]);
  const uiSchema: UiSchema = useMemo(() => uiSchemaOf(schema), [schema]);
  return (
    <Form
      id={id}
      className="schema-form"
      idPrefix={id}
      schema={shown}
      uiSchema={uiSchema}
      formData={value}
      validator={interpretedValidator}
      templates={templates}
      fields={fields}
      showErrorList={false}
      noHtml5Validate
      onChange={({ formData }) => change((formData ?? {}) as Record<string, unknown>)}
      onSubmit={send}
      experimental_defaultFormStateBehavior={{
        // A value that nobody has chosen is not sent: the server has its own defaults.
        emptyObjectFields: 'skipEmptyDefaults',
        arrayMinItems: { populate: 'requiredOnly' },
        mergeDefaultsIntoFormData: 'useFormDataIfPresent',
      }}
    />
  );
}
