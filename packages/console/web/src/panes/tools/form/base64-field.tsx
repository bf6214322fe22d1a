import type { FieldProps, RegistryFieldsType } from '@rjsf/utils';

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

export const fields: RegistryFieldsType = { base64: Base64Field as RegistryFieldsType[string] };
