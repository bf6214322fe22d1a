/** @jsxImportSource react */
import { useEffect, useRef, useState } from 'react';
import type { ViewOf, ViewTools } from '@toolwright/views';
import './view-name.css';

type Input = ViewTools['submit_view_noun']['args'];
type Booking = ViewTools['submit_view_noun']['result'];
type Name = keyof Input & string;
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What is typed in, by the name of the field. It is kept when the host loads the page again. */
type Values = Partial<Record<Name, string>>;

interface Field {
  label: string;
  hint?: string;
  /** Default: one line of text. */
  type?: 'email' | 'date' | 'number' | 'choice' | 'lines';
  required?: boolean;
  /** The values of a choice, with their words. */
  choices?: Record<string, string>;
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
}

/** A field for each argument of the tool. The build fails while an argument has none. */
const fields: Record<Name, Field> = {
  name: { label: 'Name', required: true, minLength: 2, maxLength: 100 },
  email: { label: 'E-mail', type: 'email', required: true, hint: 'The confirmation goes there.' },
  day: { label: 'Day', type: 'date', required: true },
  guests: { label: 'Guests', type: 'number', required: true, min: 1, max: 12 },
  tour: {
    label: 'Tour',
    type: 'choice',
    required: true,
    choices: { none: 'No tour', short: 'Short, half an hour', long: 'Long, two hours' },
  },
  note: { label: 'Note', type: 'lines', maxLength: 500 },
};
const names = Object.keys(fields) as Name[];

export default function Form({ result, view }: ViewOf<'view_name', Values>) {
  const [values, setValues] = useState<Values>(() => view.state ?? textsOf(result));
  const [problems, setProblems] = useState<Values>({});
  const [failure, setFailure] = useState('');
  const [isPending, setPending] = useState(false);
  const [booking, setBooking] = useState<Booking>();
  const box = useRef<HTMLElement>(null);
  const outcome = useRef<HTMLParagraphElement>(null);

  // What happened gets the focus, because the button that had it may be gone.
  useEffect(() => outcome.current?.focus(), [failure, booking]);

  function change({ name, value, validity, validationMessage }: Control) {
    const next = { ...values, [name]: value };
    setValues(next);
    view.setState(next);
    // A message goes away as soon as the value is valid. New ones wait until the form is sent.
    if (problems[name as Name]) setProblems({ ...problems, [name]: validity.valid ? '' : validationMessage });
  }

  async function submit() {
    if (isPending) return;
    // The browser checks, in the language of the person. This needs no form, which some hosts do not let a page send.
    const controls = [...box.current!.querySelectorAll<Control>('[name]')];
    const wrong = controls.filter(({ validity }) => !validity.valid);
    setProblems(Object.fromEntries(wrong.map((each) => [each.name, each.validationMessage])));
    setFailure('');
    if (wrong[0]) return wrong[0].focus();
    setPending(true);
    try {
      const made = await view.call('submit_view_noun', inputOf(values));
      setBooking(made);
      // The model should know. A host that does not tell it shows the page all the same.
      view.tellModel(`The user booked a visit: ${made.reference}.`).catch(() => {});
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      setPending(false);
    }
  }

  if (booking)
    return (
      <p role="status" tabIndex={-1} ref={outcome}>
        Booked for {booking.guests} on {booking.day}. The reference is <strong>{booking.reference}</strong>.
      </p>
    );
  return (
    <section ref={box} role="form" aria-labelledby="title">
      <h1 id="title">Book a visit</h1>
      <fieldset
        disabled={isPending}
        onKeyDown={({ key, keyCode, target }) => {
          // 229 is the code while somebody composes characters, where Enter only ends a word.
          if (key === 'Enter' && keyCode !== 229 && target instanceof HTMLInputElement) void submit();
        }}
      >
        {names.map((name) => {
          const { label, hint, required, choices, type, ...bounds } = fields[name];
          const problem = problems[name];
          const common = {
            id: name,
            name,
            required: required ?? false,
            value: values[name] ?? '',
            'aria-invalid': Boolean(problem),
            'aria-describedby': problem ? `${name}-problem` : hint && `${name}-hint`,
            onInput: (event: { currentTarget: Control }) => change(event.currentTarget),
          };
          const attributes: object = { ...common, ...bounds, type: type ?? 'text' };
          return (
            <div key={name}>
              <label htmlFor={name}>
                {label}
                {!required && ' (optional)'}
              </label>
              {type === 'choice' ? (
                <select {...common}>
                  <option value="">Choose…</option>
                  {Object.entries(choices ?? {}).map(([value, words]) => (
                    <option key={value} value={value}>
                      {words}
                    </option>
                  ))}
                </select>
              ) : type === 'lines' ? (
                <textarea {...common} {...bounds} rows={3} />
              ) : (
                <input {...attributes} />
              )}
              {hint && <small id={`${name}-hint`}>{hint}</small>}
              {problem && (
                <p id={`${name}-problem`} className="problem">
                  {problem}
                </p>
              )}
            </div>
          );
        })}
        <button type="button" className="primary" onClick={() => void submit()}>
          {isPending ? 'Booking…' : 'Book'}
        </button>
      </fieldset>
      {failure && (
        <p role="alert" className="problem" tabIndex={-1} ref={outcome}>
          {failure}
        </p>
      )}
    </section>
  );
}

/** The texts of the fields for what the tool returned. */
function textsOf(draft: object): Values {
  return Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, String(value)]));
}

/** The arguments of the tool for what is typed in. Empty fields are left out. */
function inputOf(values: Values): Input {
  const given = names.filter((name) => values[name]);
  return Object.fromEntries(
    given.map((name) => [name, fields[name].type === 'number' ? Number(values[name]) : values[name]]),
  ) as unknown as Input;
}
