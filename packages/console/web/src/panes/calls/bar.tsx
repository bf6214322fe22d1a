import type { Stretch } from './step-bars.js';

interface Props {
  /** How long the whole line is, in milliseconds. */
  readonly length: number;
  readonly whole: Stretch;
  readonly own?: readonly Stretch[];
  readonly tone?: 'good' | 'bad' | 'warn';
}

/** A stretch of time on a line. The same figures stand beside it as text. */
export function Bar({ length, whole, own = [whole], tone }: Props) {
  const place = ({ from, to }: Stretch) => ({
    left: `${(from / length) * 100}%`,
    width: `max(2px, ${((to - from) / length) * 100}%)`,
  });
  return (
    <div className="bar" aria-hidden>
      <span className="bar-whole" style={place(whole)} />
      {own.map((each, index) => (
        <span key={index} className={`bar-own ${tone ?? ''}`} style={place(each)} />
      ))}
    </div>
  );
}
