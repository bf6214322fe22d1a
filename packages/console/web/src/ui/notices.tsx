import { useSyncExternalStore } from 'react';

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

const SHOWN_MS = 5_000;
let notices: readonly Notice[] = [];
let count = 0;
const listeners = new Set<() => void>();

function set(next: readonly Notice[]): void {
  notices = next;
  listeners.forEach((listener) => listener());
}

/** Tells the person something for five seconds, such as that an action failed. */
export function notify(text: string, tone: Notice['tone'] = 'good'): void {
  const id = ++count;
  set([...notices, { id, text, tone }]);
  setTimeout(() => set(notices.filter((each) => each.id !== id)), SHOWN_MS);
}

/** Tells the person that something failed. */
export function notifyError(error: unknown): void {
  notify(error instanceof Error ? error.message : String(error), 'bad');
}

export function Notices() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
  return (
    <div className="notices" role="status" aria-live="polite">
      {shown.map(({ id, text, tone }) => (
        <p key={id} className={`notice ${tone}`}>
          {text}
        </p>
      ))}
    </div>
  );
}
