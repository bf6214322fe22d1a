import { hrefOf } from '../../shell/route.js';
import { JsonView, isSealed } from '../../ui/json-view.js';
import { Badge, CopyButton, Facts } from '../../ui/pieces.js';
import { formatClock } from '../../ui/words.js';
import { type MessageRow, answeredAfter, formatAnsweredAfter, methodOf } from './message-rows.js';

/** One message as a tree, and the one that it belongs to. */
export function MessageView({ row }: { row: MessageRow }) {
  const { record, kind, id, other, hasFailed } = row;
  const { at, direction, transport, channel, client, principal, message } = record;
  const took = answeredAfter(row) ?? (other && answeredAfter(other));
  const sealed = sealedIn(message);
  return (
    <article className="stack">
      <header className="stack">
        <div className="row">
          <h2>{methodOf(row) ?? kind}</h2>
          <Badge tone={hasFailed ? 'bad' : 'plain'}>{kind}</Badge>
          <Badge tone="info">{direction}</Badge>
          {took !== undefined && <span className="faint">answered after {formatAnsweredAfter(took)}</span>}
        </div>
        <Facts
          facts={[
            { name: 'Time', value: formatClock(at) },
            { name: 'Id', value: id },
            { name: 'Channel', value: `${channel} (${transport})` },
            { name: 'Client', value: client && `${client.title ?? client.name} ${client.version}` },
            { name: 'Caller', value: principal?.subject },
          ]}
        />
        {sealed > 0 && (
          <p className="faint">
            {sealed === 1 ? 'One value is' : `${sealed} values are`} marked sensitive or sealed. The server
            hides such values before the console hears of them.
          </p>
        )}
      </header>
      <div className="row">
        <h3 className="grow">Message</h3>
        <CopyButton text={() => JSON.stringify(message, null, 2)} />
      </div>
      <JsonView value={message} openTo={5} label="The message" />
      {other && (
        <>
          <div className="row">
            <h3 className="grow">{kind === 'request' ? 'Its answer' : 'Its request'}</h3>
            <a href={hrefOf('traffic', String(other.seq))}>open</a>
          </div>
          <JsonView value={other.record.message} openTo={3} label="The message that belongs to it" />
        </>
      )}
      {kind === 'request' && !other && <p className="faint">It has no answer yet.</p>}
    </article>
  );
}

/** How many values of a message the server has hidden. */
function sealedIn(value: unknown): number {
  if (isSealed(value)) return 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + sealedIn(each), 0);
}
