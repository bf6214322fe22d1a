import Form, { getDefaultRegistry } from '@rjsf/core';
import type { FieldProps, RegistryFieldsType, RegistryWidgetsType, UiSchema, WidgetProps } from '@rjsf/utils';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { formSchema, interpretedValidator, uiSchemaOf } from './form-schema.js';
import './form.css';
import { templates } from './templates.js';
import { placeOf, useProblems } from './use-problems.js';

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
  const box = useRef<HTMLDivElement>(null);
  const { errors, all, submit } = useProblems(schema, value, box);
  return (
    <div ref={box}>
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
        widgets={widgets}
        showErrorList={false}
        noHtml5Validate
        noValidate
        extraErrors={errors}
        onChange={({ formData }) => change((formData ?? {}) as Record<string, unknown>)}
        onSubmit={() => void submit(send)}
        experimental_defaultFormStateBehavior={{
          // A value that nobody has chosen is not sent: the server has its own defaults.
          emptyObjectFields: 'skipEmptyDefaults',
          arrayMinItems: { populate: 'requiredOnly' },
          mergeDefaultsIntoFormData: 'useFormDataIfPresent',
        }}
      />
      <Unplaced problems={all} box={box} />
    </div>
  );
}

/** What is wrong in a place that the form has no field for, such as a property that the schema does not know. */
function Unplaced({
  problems,
  box,
}: {
  problems: ReturnType<typeof useProblems>['all'];
  box: RefObject<HTMLElement | null>;
}) {
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    const placed = box.current?.querySelectorAll('.schema-form .field-errors li').length ?? 0;
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

/** Several values of a few are ticked. A list with several lines, in which one holds Ctrl, is not understood. */
function SelectWidget(props: WidgetProps) {
  const { SelectWidget: One, CheckboxesWidget: Several } = defaults;
  const { multiple, options } = props;
  if (!multiple) return <One {...props} />;
  return (
    <div className="choices" role="group" aria-label={props.label}>
      <Several {...props} options={{ ...options, inline: true }} />
    </div>
  );
}

const { widgets: defaultWidgets } = getDefaultRegistry();
const defaults = defaultWidgets as Record<
  'SelectWidget' | 'CheckboxesWidget',
  React.ComponentType<WidgetProps>
>;
const widgets: RegistryWidgetsType = { SelectWidget: SelectWidget as RegistryWidgetsType[string] };
