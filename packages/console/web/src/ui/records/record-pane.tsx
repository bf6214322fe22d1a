import { Trash2, X } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { ask } from '../../data/ask.js';
import { calls, messages } from '../../data/live.js';
import { notifyError } from '../notices.js';
import { Resizer } from '../split.js';
import './records.css';
import { Button } from '../pieces.js';

interface Props {
  readonly filters: ReactNode;
  readonly list: ReactNode;
  /** The open record. */
  readonly detail?: ReactNode;
  readonly detailLabel: string;
  readonly close: () => void;
}

/** Filters above a list of records, and the open one beside it. Escape closes it. */
export function RecordPane({ filters, list, detail, detailLabel, close }: Props) {
  const press = ({ key, target }: KeyboardEvent) => {
    const isInDialog = target instanceof Element && target.closest('dialog') !== null;
    if (key === 'Escape' && detail && !isInDialog) close();
  };
  return (
    <div className="record-pane" onKeyDown={press}>
      <div className="record-filters" role="search">
        {filters}
      </div>
      <div className={detail ? 'record-split open' : 'record-split'}>
        {list}
        {detail && (
          <Resizer name="record" label={`Width of the open ${detailLabel.toLowerCase()}`} side="after" />
        )}
        {detail && (
          <section className="record-detail" aria-label={detailLabel} tabIndex={0}>
            <Button className="icon-button close" aria-label="Close" title="Close (Esc)" onClick={close}>
              <X size={15} aria-hidden />
            </Button>
            {detail}
          </section>
        )}
      </div>
    </div>
  );
}

/** Clears what the console has recorded. */
export function ClearButton({ before }: { before?: () => void }) {
  const clear = () => {
    before?.();
    void clearRecords();
  };
  return (
    <Button look="small" onClick={clear}>
      <Trash2 size={14} aria-hidden /> Clear
    </Button>
  );
}

/** Forgets all calls and messages, here and in the console's memory. */
async function clearRecords(): Promise<void> {
  try {
    await ask('clearRecords', {});
    calls.clear();
    messages.clear();
  } catch (error) {
    notifyError(error);
  }
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly change: (value: string) => void;
}

/** Chooses one value, or all. A value that no record has any more stays, so that the choice stays visible. */
export function FilterSelect({ label, value, options, change }: SelectProps) {
  const all = value === '' || options.includes(value) ? options : [...options, value];
  return (
    <select aria-label={label} value={value} onChange={({ target }) => change(target.value)}>
      <option value="">{label}: all</option>
      {all.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  );
}

/** The different values of something, sorted. */
export function valuesOf<T>(rows: readonly T[], value: (row: T) => string | undefined): string[] {
  const found = new Set<string>();
  for (const row of rows) {
    const each = value(row);
    if (each !== undefined && each !== '') found.add(each);
  }
  return [...found].sort();
}

/** Longer records are searched as far as this. */
const MAX_CHARACTERS = 20_000;

const texts = new WeakMap<object, string>();

/** A record as text in small letters, for a search. It is made once for each record, when somebody searches. */
export function searchedText(record: object): string {
  let text = texts.get(record);
  if (text === undefined) {
    text = JSON.stringify(record).slice(0, MAX_CHARACTERS).toLowerCase();
    texts.set(record, text);
  }
  return text;
}
