import { useState } from 'react';
import { cutText } from '../../../../json/src/text/cut-text.js';
import { Button } from './pieces.js';

/** Longer descriptions, such as the one of `run_code`, would push what people came for out of sight. */
const MOST = 600;

const FENCE = /^```.*$/m;

/** What a server says of an operation, with its code. A long text opens: at first it is shown as far as its code. */
export function Description({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > MOST;
  const begin = isLong ? cutText(text.split(FENCE)[0]!, MOST, ' …') : text;
  const shown = isWhole ? text : begin;
  return (
    <div className="description stack" dir="auto">
      {shown.split(FENCE).map((part, index) => {
        const words = part.trim();
        if (words === '') return null;
        return index % 2 === 1 ? <pre key={index}>{words}</pre> : <p key={index}>{words}</p>;
      })}
      {isLong && (
        <Button className="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Less' : `${(text.length - begin.length).toLocaleString('en')} more characters`}
        </Button>
      )}
    </div>
  );
}
