import { Command } from 'cmdk';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Operation } from '../../../src/api/surface-api.js';
import { useSurface } from '../data/current.js';
import { kindNames } from '../ui/words.js';
import type { Pane } from './panes.js';
import { go } from './route.js';

/** As many as are drawn at once. The search goes over all of them. */
const MOST_DRAWN = 100;

/** Jumps to a pane or to an operation by its name. */
export function Palette(props: { isOpen: boolean; close: () => void; panes: readonly Pane[] }) {
  const { isOpen, close } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!isOpen) return dialog.current?.close();
    dialog.current?.showModal();
    // A dialog that opens takes the focus for the first element that can have it, which is not the field.
    dialog.current?.querySelector('input')?.focus();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Search or jump to"
      onClose={close}
      onClick={({ target }) => target === dialog.current && close()}
    >
      {isOpen && <Choices {...props} />}
    </dialog>
  );
}

function Choices({ close, panes }: { close: () => void; panes: readonly Pane[] }) {
  const { data: surface } = useSurface();
  const [text, setText] = useState('');
  const [chosen, choose] = useState<string>();
  const entries = useMemo(() => (surface?.operations ?? []).map(searchable), [surface]);
  const shownPanes = bestOf(
    panes.map((pane) => ({ item: pane, names: [pane.title, pane.hint] })),
    text,
  );
  const found = useMemo(() => bestOf(entries, text), [entries, text]);
  const jump = (pane: string, ...rest: string[]) => {
    close();
    go(pane, ...rest);
  };
  const first = shownPanes[0] ? `pane ${shownPanes[0].id}` : found[0] && `${found[0].kind} ${found[0].key}`;
  const type = (next: string) => {
    setText(next);
    choose(undefined);
  };
  const operations = found.length > 0 && (
    <Command.Group heading="Tools, resources and prompts">
      {found.slice(0, MOST_DRAWN).map(({ kind, key, name }) => (
        <Command.Item
          key={`${kind} ${key}`}
          value={`${kind} ${key}`}
          onSelect={() => jump('tools', kind, key)}
        >
          <span className={`dot ${kind}`} aria-hidden /> <span className="palette-name">{name}</span>
          <span className="faint">{kindNames[kind]}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
  return (
    <Command
      label="Search or jump to"
      loop
      shouldFilter={false}
      value={chosen ?? first ?? ''}
      onValueChange={choose}
    >
      <Command.Input value={text} onValueChange={type} placeholder="A pane, tool, resource or prompt" />
      <Command.List>
        <Command.Empty>Nothing has this name.</Command.Empty>
        {shownPanes.length > 0 && (
          <Command.Group heading="Panes">
            {shownPanes.map(({ id, title, hint, icon: Icon }) => (
              <Command.Item key={id} value={`pane ${id}`} onSelect={() => jump(id)}>
                <Icon size={16} aria-hidden /> {title} <span className="faint">{hint}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
        {operations}
      </Command.List>
      {found.length > MOST_DRAWN && (
        <p className="palette-more faint" role="status">
          {(found.length - MOST_DRAWN).toLocaleString('en')} more: type more of the name.
        </p>
      )}
    </Command>
  );
}

interface Searchable<T> {
  readonly item: T;
  /** What the search looks at, the most telling first. */
  readonly names: readonly string[];
}

function searchable(operation: Operation): Searchable<Operation> {
  const { kind, key, name, title = '' } = operation;
  return { item: operation, names: [name, title, key, kindNames[kind]] };
}

/** What has all words of the search, the best first: a name that is the text, then one that begins with it. */
function bestOf<T>(all: readonly Searchable<T>[], search: string): T[] {
  const text = search.trim().toLowerCase();
  if (text === '') return all.map(({ item }) => item);
  const words = text.split(/\s+/);
  const rated = all.flatMap(({ item, names }) => {
    const joined = names.join(' ').toLowerCase();
    if (!words.every((word) => joined.includes(word))) return [];
    const name = names[0]!.toLowerCase();
    const rank = name === text ? 0 : name.startsWith(text) ? 1 : name.includes(text) ? 2 : 3;
    return [{ item, rank }];
  });
  return rated.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
