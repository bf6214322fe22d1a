import { Fragment } from 'react';
import type { RecordedFailure } from '../../../../src/api/project-api.js';
import type { RecordedCall } from '../../../../src/api/record-api.js';
import { useAsk } from '../../data/ask.js';
import { useOverview } from '../../data/current.js';
import { calls, useRecords } from '../../data/live.js';
import { SourceLink } from '../../ui/pieces.js';
import './failure.css';

/** What `toolwright dev` knows of an error that was hidden from the caller: its message, its place and its stack. */
export function FailureView({ reference }: { reference: string | undefined }) {
  const isDev = useOverview()?.access.includes('project') ?? false;
  const { data: failure } = useAsk('failure', isDev && reference !== undefined ? { reference } : undefined);
  if (!failure) return null;
  const [message = '', ...stack] = failure.text.split('\n');
  return (
    <section className="failure stack" aria-label="What went wrong">
      <p className="row">
        <strong className="failure-message">{message}</strong>
        {failure.location !== undefined && <SourceLink location={failure.location} />}
      </p>
      <Excerpt failure={failure} />
      {stack.length > 0 && (
        <pre className="failure-stack" tabIndex={0} aria-label="Stack">
          {stack.map((line, index) => (
            <Fragment key={index}>
              <StackLine line={line} />
              {'\n'}
            </Fragment>
          ))}
        </pre>
      )}
      <p className="faint">
        Only you see this, because the server runs in development. The caller got a reference.
      </p>
    </section>
  );
}

/** The line of the source that threw, with its neighbours. */
export function Excerpt({ failure: { excerpt, location } }: { failure: RecordedFailure }) {
  if (!excerpt) return null;
  const [, line] = /:(\d+):\d+$/.exec(location ?? '') ?? [];
  return (
    <pre className="failure-excerpt" tabIndex={0} aria-label="The source">
      {excerpt.map(({ number, text }) => (
        <span key={number} className={String(number) === line ? 'failure-line' : undefined}>
          <span className="faint">{String(number).padStart(5)} </span>
          {text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}

/** A line of a stack. Its place opens the editor, unless it is in a library. */
function StackLine({ line }: { line: string }) {
  const found = /^(.*?)\(?((?!node:)[^\s()]+:\d+:\d+)\)?$/.exec(line);
  if (!found || /node_modules|node:/.test(line)) return <span className="faint">{line}</span>;
  const [, before, place] = found;
  return (
    <>
      {before}
      <SourceLink location={place!} />
    </>
  );
}

/** The record of a call of the console, as its trace has it. */
export function useRecordedCall(server: string, number: number | undefined): RecordedCall | undefined {
  const records = useRecords(calls);
  if (number === undefined) return undefined;
  return records.findLast(({ record }) => record.server === server && record.number === number)?.record;
}
