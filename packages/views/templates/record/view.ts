import type { ViewOf } from '@toolwright/views';
import './view-name.css';

type Result = ViewOf<'view_name'>['result'];
type Action = Result['actions'][number];
type Props = ViewOf<'view_name', Result>;

interface Field {
  title: string;
  text(order: Result['order'], locale: string): string;
}

/** The fields, from top to bottom. */
const fields: Field[] = [
  { title: 'Customer', text: ({ customer }) => customer },
  { title: 'Status', text: ({ status }) => status },
  {
    title: 'Placed',
    text: ({ placed }, locale) =>
      new Date(placed).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' }),
  },
  {
    title: 'Total',
    text: ({ total }, locale) => total.toLocaleString(locale, { style: 'currency', currency: 'EUR' }),
  },
];

/** The elements are made once, and keep the focus. After that, only their contents change. */
export default function show(props: Props, root: HTMLElement): void {
  if (!root.firstChild) startRecord(props, root);
}

function startRecord({ result, view }: Props, root: HTMLElement): void {
  let record = view.state ?? result;
  let running: Action | undefined;

  const title = make('h1');
  const list = make('dl');
  const buttons = make('div', { className: 'actions' });
  const outcome = make('p', { role: 'status', tabIndex: -1 });
  root.append(make('article', { ariaLabel: 'Order' }, title, list, buttons, outcome));
  draw();

  function draw() {
    const { order, actions } = record;
    title.textContent = `Order ${order.id}`;
    list.replaceChildren(
      ...fields.map((field) =>
        make('div', {}, make('dt', {}, field.title), make('dd', {}, field.text(order, view.host.locale))),
      ),
    );
    buttons.replaceChildren(
      ...actions.map((action) =>
        make(
          'button',
          { type: 'button', className: action.tone, onclick: () => void run(action) },
          action.title,
        ),
      ),
    );
    buttons.hidden = actions.length === 0;
  }

  async function run(action: Action) {
    if (running) return;
    running = action;
    // A button that cannot be used keeps the focus.
    for (const button of buttons.children) button.ariaDisabled = 'true';
    say('', false);
    try {
      // Whether a person is asked, and what, is up to the server: it has `@Confirm` on the tool.
      const confirm = (text: string) => askPerson(text, action, root);
      record = await view.call(action.tool, { id: record.order.id }, { confirm });
      view.setState(record);
      draw();
      say(`Done: ${action.title}.`, false);
      view.tellModel(`The user did this with order ${record.order.id}: ${action.title}.`).catch(() => {});
    } catch (error) {
      say((error as Error).message, true);
    } finally {
      running = undefined;
      for (const button of buttons.children) button.ariaDisabled = 'false';
    }
  }

  function say(text: string, isProblem: boolean) {
    outcome.role = isProblem ? 'alert' : 'status';
    outcome.className = isProblem ? 'problem' : '';
    outcome.textContent = text;
    // An action may take its own button away. Then the message gets the focus.
    if (text && document.activeElement === document.body) outcome.focus();
  }
}

/** Shows a question in a dialog. Escape means no. */
function askPerson(text: string, { title, tone }: Action, root: HTMLElement): Promise<boolean> {
  const dialog = make('dialog', { ariaLabel: text }, make('p', {}, text));
  const no = make('button', { type: 'button', onclick: () => dialog.close('no') }, 'No, go back');
  const agree = () => dialog.close('yes');
  const yes = make('button', { type: 'button', className: tone, onclick: agree }, `Yes: ${title}`);
  dialog.append(make('div', { className: 'actions' }, no, yes));
  root.firstElementChild!.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    };
  });
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
