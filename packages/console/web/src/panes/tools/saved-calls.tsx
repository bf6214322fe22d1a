import type { LucideIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Operation } from '../../../../src/api/surface-api.js';
import { Setting, useSetting } from '../../data/current.js';
import { Button } from '../../ui/pieces.js';

type Saved = Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>;

/** By kind and key of the operation, then by the name that the person gave. */
const savedSetting = new Setting<Saved>('saved-calls', {});

interface Props {
  readonly operation: Operation;
  /** `undefined`: there is nothing to save now. */
  readonly current: Record<string, unknown> | undefined;
  readonly use: (args: Record<string, unknown>) => void;
  readonly icon: LucideIcon;
}

/** Arguments that the person has saved for this operation. */
export function SavedCalls({ operation: { kind, key }, current, use, icon: Icon }: Props) {
  const [saved, setSaved] = useSetting(savedSetting);
  const [name, setName] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  const id = `${kind} ${key}`;
  const own = saved[id] ?? {};
  const names = Object.keys(own);
  const change = (next: Saved[string]) => setSaved({ ...saved, [id]: next });
  const save = (event: React.FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '' && current) change({ ...own, [name.trim()]: current });
    setName('');
  };
  return (
    <>
      <Button onClick={() => dialog.current?.showModal()}>
        <Icon size={15} aria-hidden /> Saved{names.length > 0 && ` (${names.length})`}
      </Button>
      <dialog ref={dialog} className="dialog" aria-label="Saved calls">
        <div className="stack">
          <h2>Saved calls</h2>
          {names.length === 0 && <p className="faint">None yet. They stay in this browser.</p>}
          <ul className="stack">
            {names.map((each) => (
              <li key={each} className="row">
                <Button
                  className="link grow"
                  onClick={() => {
                    use(own[each]!);
                    dialog.current?.close();
                  }}
                >
                  {each}
                </Button>
                <Button
                  look="small"
                  aria-label={`Remove ${each}`}
                  onClick={() =>
                    change(Object.fromEntries(Object.entries(own).filter(([known]) => known !== each)))
                  }
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
          <form className="row" onSubmit={save}>
            <input
              className="grow"
              aria-label="Name"
              placeholder="Name for the arguments that are filled in now"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
            <Button type="submit" look="primary" disabled={!current}>
              Save
            </Button>
          </form>
          <div className="row end">
            <Button onClick={() => dialog.current?.close()}>Close</Button>
          </div>
        </div>
      </dialog>
    </>
  );
}
