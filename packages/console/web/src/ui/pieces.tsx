import { Check, Copy, FileCode2 } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, type ReactNode, useState } from 'react';
import { ask } from '../data/ask.js';
import { useOverview } from '../data/current.js';
import { notifyError } from './notices.js';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'info';

/** A short word about something, such as a state. */
export function Badge({
  tone = 'plain',
  title,
  children,
}: {
  tone?: Tone;
  title?: string;
  children: ReactNode;
}) {
  return (
    <span className={`badge ${tone}`} title={title}>
      {children}
    </span>
  );
}

interface ButtonProps extends ComponentProps<'button'> {
  /** Such as `primary`, or `small danger`. */
  readonly look?: string;
}

/** A button, which sends a form only with `type="submit"`. Another `className` gives it another form. */
export function Button({ look = '', ...others }: ButtonProps) {
  return <button type="button" className={`button ${look}`.trim()} {...others} />;
}

interface ChipsProps<T> {
  /** What is chosen among, for who cannot see it. */
  label: string;
  items: readonly T[];
  chosen: T | undefined;
  choose: (item: T) => void;
  children: (item: T) => ReactNode;
}

/** A row of small buttons, one of which is pressed. */
export function Chips<T extends string>({ label, items, chosen, choose, children }: ChipsProps<T>) {
  return (
    <div className="chips" role="group" aria-label={label}>
      {items.map((each) => (
        <Button key={each} className="chip" aria-pressed={each === chosen} onClick={() => choose(each)}>
          {children(each)}
        </Button>
      ))}
    </div>
  );
}

interface SearchProps {
  readonly label: string;
  /** Default: the label. */
  readonly placeholder?: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/** The search of a pane. The key "/" goes to it. */
export function SearchField({ label, placeholder = label, value, change, onKeyDown }: SearchProps) {
  return (
    <input
      type="search"
      data-search
      aria-label={label}
      placeholder={`${placeholder} ( / )`}
      value={value}
      onChange={({ target }) => change(target.value)}
      onKeyDown={onKeyDown}
    />
  );
}

/** Copies a text. */
export function CopyButton({ text, label = 'Copy' }: { text: () => string; label?: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setDone(true);
      setTimeout(() => setDone(false), 1_500);
    } catch {
      notifyError(new Error('The browser did not allow the page to copy.'));
    }
  };
  const Icon = isDone ? Check : Copy;
  return (
    <Button look="small" onClick={() => void copy()}>
      <Icon size={14} aria-hidden /> {isDone ? 'Copied' : label}
    </Button>
  );
}

interface TableProps {
  readonly titles: readonly ReactNode[];
  /** The titles of columns with numbers. */
  readonly numbers?: readonly ReactNode[];
  /** The rows. */
  readonly children: ReactNode;
}

export function Table({ titles, numbers = [], children }: TableProps) {
  return (
    <table className="table">
      <thead>
        <tr>
          {titles.map((title, index) => (
            <th key={index} scope="col" className={numbers.includes(title) ? 'number' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** What has gone wrong, read aloud at once. */
export function Problem({ children }: { children: string | undefined }) {
  return (
    children && (
      <p role="alert" className="problem">
        {children}
      </p>
    )
  );
}

/** What is to be known of what is shown, a line each. */
export function Notes({ notes = [] }: { notes: readonly string[] | undefined }) {
  return notes.map((note) => (
    <p key={note} className="faint">
      {note}
    </p>
  ));
}

/** Takes the place of a list that is still empty, and says why it is empty and what to do. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <div>{children}</div>
    </div>
  );
}

/** In the place of what has not come, or cannot. */
export function Missing({ what, error }: { what: string; error: Error | null }) {
  if (error) return <Empty title={`${what} cannot be shown`}>{error.message}</Empty>;
  return <p className="loading">Loading…</p>;
}

interface Fact {
  readonly name: string;
  /** A fact without a value is left out. */
  readonly value: ReactNode;
  readonly isWide?: boolean;
}

/** What is known of something, each with its name. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(
        ({ name, value, isWide }) =>
          value !== undefined && (
            <div key={name} className={isWide ? 'wide' : undefined}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A place in the source. In `toolwright dev` it opens the editor. */
export function SourceLink({ location }: { location: string }) {
  const overview = useOverview();
  const short = location.split('/').slice(-2).join('/');
  if (!overview?.access.includes('project')) return <code title={location}>{short}</code>;
  return (
    <Button
      className="link"
      title={`Open ${location} in the editor`}
      onClick={() => void ask('openSource', { location }).catch(notifyError)}
    >
      <FileCode2 size={14} aria-hidden /> {short}
    </Button>
  );
}

/** A form whose fields check themselves. A button elsewhere names it with `form`. */
export function PlainForm({ id, send, children }: { id: string; send: () => void; children: ReactNode }) {
  return (
    <form
      id={id}
      className="schema-form stack"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {children}
    </form>
  );
}
