import { useEffect } from 'react';
import type { Pane } from './panes.js';
import { go } from './route.js';

/** Ctrl or Cmd with K opens the palette, a digit opens a pane, and a slash goes to the search of the pane. */
export function useShortcuts(panes: readonly Pane[], openPalette: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') {
        event.preventDefault();
        return openPalette();
      }
      if (ctrlKey || metaKey || altKey || isTyping(event.target)) return;
      const pane = /^[1-9]$/.test(key) ? panes[Number(key) - 1] : undefined;
      if (pane) go(pane.id);
      if (key === '/') {
        const search = document.querySelector<HTMLElement>('[data-search]');
        if (search) event.preventDefault();
        search?.focus();
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [panes, openPalette]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
