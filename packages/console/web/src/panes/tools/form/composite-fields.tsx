import { Plus, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/pieces.js';
import { pointerTo, useForm } from './form-state.js';
import { Description, Frame, type KnownProps as Props, Problems, titleOf } from './frame.js';
import { isObject } from '../../../../../../json/src/base/json-values.js';
import { type Extra, isSame, propertiesOf, requiredOf, type Schema } from './part-of.js';

/** Deeper parts are opened by the person, so that a type that needs itself ends somewhere. */
const MOST_OPEN = 6;

/**
 * Goes on with the keyboard in a part that was just opened, or beside one that is gone.
 *
 * @param place the name of a control, or the pointer of a part
 */
function focusIn(form: HTMLFormElement | null, place: string): void {
  requestAnimationFrame(() => {
    const controls = [...(form?.elements ?? [])] as HTMLInputElement[];
    const isIn = ({ name }: HTMLInputElement) => {
      const pointer = name.replace(/^(add|more) /, '');
      return name === place || pointer === place || pointer.startsWith(`${place}/`);
    };
    controls.find(isIn)?.focus();
  });
}

/** An optional part that nobody has begun: a button that opens it. */
function Closed(props: Props & { start: unknown; label: string }) {
  const { schema, name, pointer, change, start, label, action } = props;
  return (
    <div className="field">
      <span className="row">
        <strong>{titleOf(schema, name)}</strong>
        {action}
      </span>
      <Description schema={schema} />
      <span>
        <Button
          name={`add ${pointer}`}
          look="small"
          onClick={({ currentTarget: { form } }) => {
            change(start);
            focusIn(form, pointer);
          }}
        >
          <Plus size={14} aria-hidden /> {label}
        </Button>
      </span>
      <Problems pointer={pointer} isLeaf />
    </div>
  );
}

function isClosed({ value, isRequired, pointer }: Props): boolean {
  return value === undefined && (!isRequired || pointer.split('/').length > MOST_OPEN);
}

/** Leaves out an optional part. */
function leaveOut({ schema, name, pointer, value, change, isRequired, action }: Props) {
  const label = `Leave out ${titleOf(schema, name)}`;
  if (isRequired || value === undefined) return action;
  return (
    <Button
      name={`leave ${pointer}`}
      look="small"
      aria-label={label}
      title={label}
      onClick={({ currentTarget: { form } }) => {
        change(undefined);
        focusIn(form, `add ${pointer}`);
      }}
    >
      <X size={14} aria-hidden />
    </Button>
  );
}

/** The properties of an object, and others that a person names. */
export function ObjectField({ extra, ...props }: Props & { extra: Extra | undefined }) {
  const { schema, name, pointer } = props;
  if (isClosed(props)) return <Closed {...props} start={{}} label={`Add ${titleOf(schema, name)}`} />;
  return (
    <Frame {...props} action={leaveOut(props)}>
      <Properties {...props} extra={extra} pointer={pointer} />
    </Frame>
  );
}

/** The fields of an object, without a frame around them. */
export function Properties({ extra, ...props }: Props & { extra: Extra | undefined }) {
  const { Field } = useForm();
  const { schema, pointer, value, change } = props;
  const own = isObject(value) ? value : {};
  const known = propertiesOf(schema);
  const required = requiredOf(schema);
  const names = new Set(known.map(([name]) => name));
  const others = Object.entries(own).filter(([name]) => !names.has(name));
  const set = (name: string, next: unknown) =>
    change(
      Object.fromEntries(
        [...Object.entries({ ...own, [name]: next })].filter(([, each]) => each !== undefined),
      ),
    );
  return (
    <>
      {known.map(([name, each]) => (
        <Field
          key={name}
          schema={each}
          name={name}
          pointer={pointerTo(pointer, name)}
          value={Object.hasOwn(own, name) ? own[name] : undefined}
          change={(next) => set(name, next)}
          isRequired={required.includes(name)}
        />
      ))}
      {extra && (
        <NamedValues
          {...props}
          extra={extra}
          taken={names}
          value={Object.fromEntries(others)}
          change={(next) => {
            const rest = Object.entries(own).filter(([name]) => names.has(name));
            change(Object.fromEntries([...rest, ...Object.entries(next as Schema)]));
          }}
        />
      )}
    </>
  );
}

interface Named {
  readonly id: number;
  readonly name: string;
  readonly value: unknown;
}

/** Values under names that the person chooses. */
function NamedValues({
  extra,
  taken,
  schema,
  name,
  pointer,
  value,
  change,
}: Props & { extra: Extra; taken: ReadonlySet<string> }) {
  const { Field } = useForm();
  const read = () =>
    Object.entries(value as Schema).map(([name, each], index) => ({ id: index, name, value: each }));
  const [rows, setRows] = useState<readonly Named[]>(read);
  // The value has changed elsewhere.
  const shown = isSame(objectOf(rows, taken), value) ? rows : read();
  const set = (next: readonly Named[]) => {
    setRows(next);
    change(objectOf(next, taken));
  };
  const put = (row: Named) => set(shown.map((each) => (each.id === row.id ? row : each)));
  const title = titleOf(schema, name) || 'the arguments';
  return (
    <div className="stack">
      {shown.map((row, index) => {
        const isTwice = taken.has(row.name) || shown.some((each) => each !== row && each.name === row.name);
        return (
          <div key={row.id} className="named-value">
            <label className="field">
              <span>Name</span>
              <input
                name={`name ${index} ${pointer}`}
                value={row.name}
                autoComplete="off"
                ref={(input) => input?.setCustomValidity(isTwice ? 'twice' : '')}
                onChange={({ target }) => put({ ...row, name: target.value })}
              />
              {isTwice && row.name !== '' && <span className="field-unread">This name is there twice.</span>}
            </label>
            <Field
              schema={{ title: 'Value', ...(extra(row.name) as Schema) }}
              name="Value"
              pointer={`${pointerTo(pointer, row.name)}`}
              value={row.value}
              change={(next) => put({ ...row, value: next })}
              isRequired
              action={
                <RemoveButton
                  from={pointer}
                  what={row.name || 'this value'}
                  remove={() => set(shown.filter((each) => each !== row))}
                />
              }
            />
          </div>
        );
      })}
      <span>
        <Button
          name={`more ${pointer}`}
          look="small"
          onClick={({ currentTarget: { form } }) => {
            const id = Math.max(-1, ...shown.map((each) => each.id)) + 1;
            set([...shown, { id, name: '', value: undefined }]);
            focusIn(form, `name ${shown.length} ${pointer}`);
          }}
        >
          <Plus size={14} aria-hidden /> Add to {title}
        </Button>
      </span>
    </div>
  );
}

function objectOf(rows: readonly Named[], taken: ReadonlySet<string>): Schema {
  const given = rows.filter(({ name, value }) => name !== '' && value !== undefined && !taken.has(name));
  return Object.fromEntries(given.map(({ name, value }) => [name, value]));
}

interface RemoveProps {
  readonly what: string;
  /** The pointer of the list or the map. */
  readonly from: string;
  readonly remove: () => void;
}

function RemoveButton({ what, from, remove }: RemoveProps) {
  return (
    <Button
      look="small"
      aria-label={`Remove ${what}`}
      title={`Remove ${what}`}
      onClick={({ currentTarget: { form } }) => {
        remove();
        focusIn(form, `more ${from}`);
      }}
    >
      <Trash2 size={14} aria-hidden />
    </Button>
  );
}

/** A list of values of one kind. */
export function ListField({ items, ...props }: Props & { items: unknown }) {
  const { schema, name, value } = props;
  const title = titleOf(schema, name);
  if (value === undefined && !props.isRequired)
    return <Closed {...props} start={[undefined]} label={`Add to ${title}`} />;
  return (
    <Frame {...props} action={leaveOut(props)}>
      <Items {...props} places={[]} rest={items} />
    </Frame>
  );
}

/** A list whose places have kinds of their own. */
export function TupleField({
  places,
  rest,
  ...props
}: Props & { places: readonly unknown[]; rest: unknown }) {
  if (isClosed(props))
    return <Closed {...props} start={[]} label={`Add ${titleOf(props.schema, props.name)}`} />;
  return (
    <Frame {...props} action={leaveOut(props)}>
      <Items {...props} places={places} rest={rest} />
    </Frame>
  );
}

function Items({
  places,
  rest,
  schema,
  name,
  pointer,
  value,
  change,
}: Props & { places: readonly unknown[]; rest: unknown }) {
  const { Field } = useForm();
  const title = titleOf(schema, name);
  const known = Array.isArray(value) ? (value as unknown[]) : [];
  const shown = Math.max(places.length, known.length);
  // Each item keeps its field when one before it is removed.
  const [ids, setIds] = useState<readonly number[]>([]);
  const idOf = (index: number) => ids[index] ?? index;
  const put = (index: number, next: unknown) => {
    const all = Array.from({ length: Math.max(known.length, index + 1) }, (_, at) =>
      at === index ? next : known[at],
    );
    // Places at the end that nobody has filled in are left out.
    while (all.length > 0 && all.length <= places.length && all.at(-1) === undefined) all.pop();
    change(all);
  };
  const remove = (index: number) => {
    const all = known.map((_, at) => idOf(at));
    setIds([...all.filter((_, at) => at !== index), Math.max(-1, ...all) + 1]);
    change(known.filter((_, at) => at !== index));
  };
  return (
    <>
      {Array.from({ length: shown }, (_, index) => (
        <Field
          key={idOf(index)}
          schema={places[index] ?? rest}
          name={`${title} ${index + 1}`}
          pointer={pointerTo(pointer, index)}
          value={known[index]}
          change={(next) => put(index, next)}
          isRequired
          action={
            index >= places.length && (
              <RemoveButton from={pointer} what={`${title} ${index + 1}`} remove={() => remove(index)} />
            )
          }
        />
      ))}
      {rest !== undefined && rest !== false && (
        <span>
          <Button
            name={`more ${pointer}`}
            look="small"
            onClick={({ currentTarget: { form } }) => {
              change([...Array.from({ length: shown }, (_, at) => known[at]), undefined]);
              focusIn(form, pointerTo(pointer, shown));
            }}
          >
            <Plus size={14} aria-hidden /> Add to {title}
          </Button>
        </span>
      )}
    </>
  );
}
