import { type ReactNode, useState } from 'react';
import { cutText } from '../../../../json/src/text/cut-text.js';
import { Button } from './pieces.js';

/** Longer texts and lists are shown in part at first. */
const MAX_TEXT = 2_000;
const MAX_ITEMS = 100;

/** A JSON value as a tree that opens and closes. */
export function JsonView({ value, openTo = 2, label }: { value: unknown; openTo?: number; label?: string }) {
  return (
    <div className="json" role="group" aria-label={label}>
      <Node value={value} openTo={openTo} />
    </div>
  );
}

function Node({ name, value, openTo }: { name?: string; value: unknown; openTo: number }): ReactNode {
  const key = name !== undefined && <span className="json-key">{name}: </span>;
  if (typeof value === 'object' && value !== null) return <Branch name={key} value={value} openTo={openTo} />;
  return (
    <div className="json-line">
      {key}
      <Leaf value={value} />
    </div>
  );
}

function Branch({ name, value, openTo }: { name: ReactNode; value: object; openTo: number }) {
  const [isOpen, setOpen] = useState(openTo > 0);
  const [most, setMost] = useState(MAX_ITEMS);
  const entries = Object.entries(value);
  const [start, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0)
    return (
      <div className="json-line">
        {name}
        {start}
        {end}
      </div>
    );
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {name}
        {start}
        {!isOpen && (
          <span className="faint">
            {' '}
            {entries.length} {end}
          </span>
        )}
      </summary>
      {isOpen && (
        <div className="json-children">
          {entries.slice(0, most).map(([key, each]) => (
            <Node
              key={key}
              name={Array.isArray(value) ? key : JSON.stringify(key)}
              value={each}
              openTo={openTo - 1}
            />
          ))}
          {entries.length > most && (
            <Button className="link" onClick={() => setMost(most + 1_000)}>
              {entries.length - most} more
            </Button>
          )}
        </div>
      )}
      {isOpen && <div className="json-line">{end}</div>}
    </details>
  );
}

function Leaf({ value }: { value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== 'string')
    return <span className={`json-${value === null ? 'null' : typeof value}`}>{String(value)}</span>;
  if (isSealed(value))
    return (
      <span
        className="json-sealed"
        title="Marked sensitive. The server hides it before the console hears of it."
      >
        {value}
      </span>
    );
  const text = isWhole ? value : cutText(value, MAX_TEXT);
  return (
    <span className="json-string" dir="auto">
      {JSON.stringify(text)}
      {text.length < value.length && (
        <Button className="link" onClick={() => setWhole(true)}>
          {value.length - text.length} more characters
        </Button>
      )}
    </span>
  );
}

/** What core writes in the place of a value that is marked sensitive, and of sealed states. */
const SEALED = '[sensitive]';

export function isSealed(value: unknown): boolean {
  return value === SEALED;
}
