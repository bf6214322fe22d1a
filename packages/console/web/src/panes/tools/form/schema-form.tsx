import Form from '@rjsf/core';
import type { FieldProps, RegistryFieldsType, UiSchema } from '@rjsf/utils';
import { useMemo } from 'react';
import { formSchema, interpretedValidator, uiSchemaOf } from './form-schema.js';
import './form.css';
import { templates } from './templates.js';

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

/** A file whose bytes are sent as base64. */
function Base64Field({ fieldPathId, formData, name, schema, required, onChange }: FieldProps<string>) {
  const { $id: id, path } = fieldPathId;
  const read = async (file: File | undefined) => {
    if (!file) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    let binary = '';
    for (const byte of bytes) binary += String.fromCharCode(byte);
    onChange(btoa(binary), path);
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        {schema.title ?? name}
        {required && <span aria-hidden> *</span>}
      </label>
      <input id={id} type="file" onChange={({ target }) => void read(target.files?.[0])} />
      {formData !== undefined && <p className="faint">{formData.length} characters of base64</p>}
    </div>
  );
}

const fields: RegistryFieldsType = { base64: Base64Field as RegistryFieldsType[string] };
