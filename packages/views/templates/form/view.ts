import type { ViewOf, ViewTools } from '@toolwright/views';
import './view-name.css';

type Input = ViewTools['submit_view_noun']['args'];
type Name = keyof Input & string;
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What is typed in, by the name of the field. It is kept when the host loads the page again. */
type Values = Partial<Record<Name, string>>;
type Props = ViewOf<'view_name', Values>;

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

/** The elements are made once, and keep the focus and what is typed in. */
export default function show(props: Props, root: HTMLElement): void {
  if (!root.firstChild) startForm(props, root);
}

function startForm({ result, view }: Props, root: HTMLElement): void {
  const values: Values = view.state ?? textsOf(result);
  const controls: Control[] = [];
  const fieldset = make('fieldset', {}, ...names.map(makeField));
  const send = make('button', { type: 'button', className: 'primary', onclick: () => void submit() }, 'Book');
  const failure = make('p', { role: 'alert', className: 'problem', tabIndex: -1, hidden: true });
  fieldset.append(send);
  fieldset.onkeydown = ({ key, isComposing, target }) => {
    if (key === 'Enter' && !isComposing && target instanceof HTMLInputElement) void submit();
  };
  const title = 'Book a visit';
  root.append(make('section', { role: 'form', ariaLabel: title }, make('h1', {}, title), fieldset, failure));

  function makeField(name: Name): HTMLElement {
    const { label, hint, choices, type, ...attributes } = fields[name];
    const words = attributes.required ? label : `${label} (optional)`;
    const control =
      type === 'choice'
        ? makeChoice(choices ?? {})
        : type === 'lines'
          ? make('textarea', { rows: 3 })
          : make('input', { type: type ?? 'text' });
    for (const [attribute, value] of Object.entries(attributes))
      if (value !== false) control.setAttribute(attribute, String(value));
    Object.assign(control, { id: name, name, value: values[name] ?? '' });
    control.oninput = () => {
      values[name] = control.value;
      view.setState({ ...values });
      // A message goes away as soon as the value is valid. New ones wait until the form is sent.
      if (control.ariaInvalid === 'true') say(control);
    };
    controls.push(control);
    const note = make('small', { id: `${name}-hint` }, hint ?? '');
    const problem = make('p', { id: `${name}-problem`, className: 'problem', hidden: true });
    control.setAttribute('aria-describedby', `${name}-hint ${name}-problem`);
    return make('div', {}, make('label', { htmlFor: name }, words), control, note, problem);
  }

  /** Says what is wrong with a value, in the language of the person. @returns true if nothing is */
  function say(control: Control): boolean {
    const { valid } = control.validity;
    control.ariaInvalid = String(!valid);
    const problem = control.parentElement!.querySelector<HTMLElement>('.problem')!;
    problem.hidden = valid;
    problem.textContent = control.validationMessage;
    return valid;
  }

  async function submit() {
    if (fieldset.disabled) return;
    failure.hidden = true;
    // The browser checks. This needs no form, which some hosts do not let a page send.
    const [wrong] = controls.filter((control) => !say(control));
    if (wrong) return wrong.focus();
    fieldset.disabled = true;
    send.textContent = 'Booking…';
    try {
      const { reference, guests, day } = await view.call('submit_view_noun', inputOf(values));
      const text = `Booked for ${guests} on ${day}. The reference is ${reference}.`;
      const done = make('p', { role: 'status', tabIndex: -1 }, text);
      root.replaceChildren(done);
      done.focus();
      // The model should know. A host that does not tell it shows the page all the same.
      view.tellModel(`The user booked a visit: ${reference}.`).catch(() => {});
    } catch (error) {
      failure.textContent = (error as Error).message;
      failure.hidden = false;
      // The button lost the focus while it was disabled.
      failure.focus();
    } finally {
      fieldset.disabled = false;
      send.textContent = 'Book';
    }
  }
}

function makeChoice(choices: Record<string, string>): HTMLSelectElement {
  const options = Object.entries({ '': 'Choose…', ...choices });
  return make('select', {}, ...options.map(([value, words]) => make('option', { value }, words)));
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

/** Makes an element. Texts stay texts: nothing of a result becomes markup. */
function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  members: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), members);
  element.append(...children);
  return element;
}
