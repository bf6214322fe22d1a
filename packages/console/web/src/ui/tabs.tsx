import { useId, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from './pieces.js';

export interface Tab {
  readonly id: string;
  readonly title: ReactNode;
  readonly content: () => ReactNode;
}

/** Tabs, of which one is open. Arrow keys move between them. */
export function Tabs({
  tabs,
  open,
  choose,
  label,
}: {
  tabs: readonly Tab[];
  open: string;
  choose: (id: string) => void;
  label: string;
}) {
  const base = useId();
  const current = tabs.find(({ id }) => id === open) ?? tabs[0]!;
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length]!;
    choose(next.id);
    document.getElementById(`${base}${next.id}`)?.focus();
  };
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ id, title }) => (
          <Button
            key={id}
            id={`${base}${id}`}
            role="tab"
            aria-selected={id === current.id}
            aria-controls={`${base}panel`}
            tabIndex={id === current.id ? 0 : -1}
            onClick={() => choose(id)}
          >
            {title}
          </Button>
        ))}
      </div>
      <div id={`${base}panel`} role="tabpanel" tabIndex={0} aria-labelledby={`${base}${current.id}`}>
        {current.content()}
      </div>
    </div>
  );
}
