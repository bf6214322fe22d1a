import { Trash2 } from 'lucide-react';
import { clearRecords } from './clear-records.js';

/** Clears what the console has recorded. */
export function ClearButton({ before }: { before?: () => void }) {
  const clear = () => {
    before?.();
    void clearRecords();
  };
  return (
    <button type="button" className="button small" onClick={clear}>
      <Trash2 size={14} aria-hidden /> Clear
    </button>
  );
}
