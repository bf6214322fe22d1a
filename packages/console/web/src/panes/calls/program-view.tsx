import type { ProgramTrace } from '@toolwright/core/operate';
import { Facts } from '../../ui/pieces.js';

/** A program: its code, where it may be shown, what it wrote, and what it came to. Its calls are in the time line. */
export function ProgramView({ program: { digest, code, log, result, error } }: { program: ProgramTrace }) {
  return (
    <section className="stack" aria-label="Program">
      <h3>Program</h3>
      {code === undefined ? (
        <Facts facts={[{ name: 'SHA-256 of its code', value: digest, isWide: true }]} />
      ) : (
        <Text label="Code" shown={{ text: code }} />
      )}
      <Text label="Log" shown={log} />
      <Text label="Result" shown={result} />
      <Text label="Error" shown={error} />
    </section>
  );
}

function Text({ label, shown }: { label: string; shown: ProgramTrace['log'] }) {
  if (!shown) return null;
  const text = 'text' in shown ? shown.text : `${shown.bytes} bytes, SHA-256 ${shown.digest}`;
  return (
    <figure className="stack">
      <figcaption>{label}</figcaption>
      <pre className="mono" tabIndex={0} role="region" aria-label={`${label} of the program`}>
        {text}
      </pre>
    </figure>
  );
}
