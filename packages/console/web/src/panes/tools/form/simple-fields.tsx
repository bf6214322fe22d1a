import { readNumber, readTyped } from '../../../ui/read-json.js';
import { idOf, useForm } from './form-state.js';
import { Frame, type KnownProps, titleOf } from './frame.js';
import { wordOf } from './name-branches.js';
import { isSame, type Part, type Schema } from './part-of.js';
import { TypedText } from './typed-text.js';

/** Texts of more characters get a field of several lines. */
const LONG_TEXT = 200;
const longNames = /^(content|body|text|markdown|message|description|prompt|sql|query_text|code)$/i;
const examples: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
};

/** A value that is not made of others. */
export function SimpleField(props: KnownProps & { part: Part }) {
  const { id: base } = useForm();
  const { schema, part, pointer, name, value, change, isRequired } = props;
  const id = idOf(base, pointer);
  const shared = { id, name: pointer, value, change, placeholder: placeholderOf(schema) };
  const text = typeof value === 'string' ? value : '';
  // An empty field leaves the argument out. A required one is sent as an empty text.
  const type = (next: string) => change(next === '' && !isRequired ? undefined : next);
  switch (part.kind) {
    case 'const':
      if (!isRequired) return <Select {...props} choices={[part]} />;
      return (
        <Frame {...props} id={id}>
          <output id={id} className="mono">
            {wordOf(part.value)}
          </output>
        </Frame>
      );
    case 'choice':
      return <Select {...props} choices={part.choices} />;
    case 'boolean':
      return <Select {...props} choices={yesAndNo} />;
    case 'number':
      return (
        <Frame {...props} id={id}>
          <TypedText {...shared} read={readNumber} show={String} />
        </Frame>
      );
    case 'text': {
      const { format, maxLength = 0 } = schema;
      const isLong = format === undefined && (Number(maxLength) > LONG_TEXT || longNames.test(name));
      const field = { ...shared, value: text, required: isRequired, dir: 'auto' };
      return (
        <Frame {...props} id={id}>
          {isLong ? (
            <textarea {...field} rows={4} onChange={({ target }) => type(target.value)} />
          ) : (
            <input
              {...field}
              type={format === 'password' ? 'password' : 'text'}
              autoComplete="off"
              onChange={({ target }) => type(target.value)}
            />
          )}
        </Frame>
      );
    }
    case 'bytes':
      return (
        <Frame {...props} id={id}>
          <input
            type="file"
            aria-label={`A file for ${titleOf(schema, name)}`}
            onChange={({ target }) => void readFile(target.files?.[0], change)}
          />
          <textarea
            {...shared}
            className="mono"
            rows={2}
            value={text}
            placeholder="or the bytes, as base64"
            onChange={({ target }) => type(target.value)}
          />
        </Frame>
      );
    default:
      return (
        <Frame {...props} id={id}>
          <TypedText {...shared} hasLines placeholder={jsonHint(schema)} read={readTyped} show={jsonText} />
        </Frame>
      );
  }
}

const yesAndNo = [
  { value: true, title: 'yes' },
  { value: false, title: 'no' },
];

function placeholderOf({ default: initial, format }: Schema): string | undefined {
  if (initial !== undefined && initial !== '') return `${wordOf(initial)} if empty`;
  return examples[String(format)];
}

function jsonHint({ type }: Schema): string {
  return type === 'object'
    ? 'JSON: {"name": "value"}'
    : type === 'array'
      ? 'JSON: [1, 2]'
      : 'JSON: "text", 12, true, […], {…}';
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** A file whose bytes are sent as base64. */
async function readFile(file: File | undefined, change: (text: string) => void): Promise<void> {
  if (!file) return;
  let binary = '';
  for (const byte of new Uint8Array(await file.arrayBuffer())) binary += String.fromCharCode(byte);
  change(btoa(binary));
}

type Choices = Extract<Part, { kind: 'choice' }>['choices'];

/** One value of a few, or none. */
function Select({ choices, ...props }: KnownProps & { choices: Choices }) {
  const { id: base } = useForm();
  const { schema, pointer, value, change } = props;
  const id = idOf(base, pointer);
  return (
    <Frame {...props} id={id}>
      <select
        id={id}
        name={pointer}
        value={choices.findIndex((each) => value !== undefined && isSame(each.value, value))}
        onChange={({ target }) => change(choices[Number(target.value)]?.value)}
      >
        <option value={-1}>{placeholderOf(schema) ?? 'not set'}</option>
        {choices.map(({ value: each, title }, index) => (
          <option key={index} value={index}>
            {title ?? wordOf(each)}
          </option>
        ))}
      </select>
    </Frame>
  );
}

/** Several values of a few are ticked. A list with several lines, in which one holds Ctrl, is not understood. */
export function Ticks({ choices, ...props }: KnownProps & { choices: Choices }) {
  const { pointer, value, change, isRequired } = props;
  const chosen = Array.isArray(value) ? (value as unknown[]) : [];
  const tick = (each: unknown, isTicked: boolean) => {
    const next = isTicked ? [...chosen, each] : chosen.filter((other) => !isSame(other, each));
    change(next.length === 0 && !isRequired ? undefined : next);
  };
  return (
    <Frame {...props}>
      <div className="choices">
        {choices.map(({ value: each, title }, index) => (
          <label key={index}>
            <input
              type="checkbox"
              name={`${pointer}/${index}`}
              checked={chosen.some((other) => isSame(other, each))}
              onChange={({ target }) => tick(each, target.checked)}
            />
            {title ?? wordOf(each)}
          </label>
        ))}
      </div>
    </Frame>
  );
}
