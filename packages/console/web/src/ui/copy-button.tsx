import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { notifyError } from './notices.js';

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
    <button type="button" className="button small" onClick={() => void copy()}>
      <Icon size={14} aria-hidden /> {isDone ? 'Copied' : label}
    </button>
  );
}
