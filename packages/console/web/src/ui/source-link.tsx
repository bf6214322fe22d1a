import { FileCode2 } from 'lucide-react';
import { ask } from '../data/ask.js';
import { useOverview } from '../data/current.js';
import { notifyError } from './notices.js';

/** A place in the source. In `toolwright dev` it opens the editor. */
export function SourceLink({ location }: { location: string }) {
  const overview = useOverview();
  const short = location.split('/').slice(-2).join('/');
  if (!overview?.access.includes('project')) return <code title={location}>{short}</code>;
  return (
    <button
      type="button"
      className="link"
      title={`Open ${location} in the editor`}
      onClick={() => void ask('openSource', { location }).catch(notifyError)}
    >
      <FileCode2 size={14} aria-hidden /> {short}
    </button>
  );
}
