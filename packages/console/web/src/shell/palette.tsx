import { Command } from 'cmdk';
import { useEffect, useRef } from 'react';
import { useSurface } from '../data/current.js';
import { kindNames } from '../ui/words.js';
import type { Pane } from './panes.js';
import { go } from './route.js';

/** More than anybody reads, and few enough to draw at once. */
const MAX_OPERATIONS = 300;

/** Jumps to a pane or to a tool by its name. */
export function Palette(props: { isOpen: boolean; close: () => void; panes: readonly Pane[] }) {
  const { isOpen, close } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
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
  const jump = (pane: string, ...rest: string[]) => {
    close();
    go(pane, ...rest);
  };
  return (
    <Command label="Search or jump to" loop>
      <Command.Input placeholder="A pane, tool, resource or prompt" autoFocus />
      <Command.List>
        <Command.Empty>Nothing has this name.</Command.Empty>
        <Command.Group heading="Panes">
          {panes.map(({ id, title, hint, icon: Icon }) => (
            <Command.Item key={id} value={`${title} ${hint}`} onSelect={() => jump(id)}>
              <Icon size={16} aria-hidden /> {title} <span className="faint">{hint}</span>
            </Command.Item>
          ))}
        </Command.Group>
        <Command.Group heading="Tools, resources and prompts">
          {surface?.operations.slice(0, MAX_OPERATIONS).map(({ kind, key, name, title }) => (
            <Command.Item
              key={`${kind} ${key}`}
              value={`${kind} ${key} ${name} ${title ?? ''}`}
              onSelect={() => jump('tools', kind, key)}
            >
              <span className={`dot ${kind}`} aria-hidden /> {name}
              <span className="faint">{kindNames[kind]}</span>
            </Command.Item>
          ))}
        </Command.Group>
      </Command.List>
    </Command>
  );
}
