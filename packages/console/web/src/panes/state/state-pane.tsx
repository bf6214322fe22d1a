import type { ReactNode } from 'react';
import { useServerState } from '../../data/current.js';
import { Badge, Facts, Missing } from '../../ui/pieces.js';
import { callerText, formatClock, formatMs } from '../../ui/words.js';
import { Bar, ChangeButton, StateTable } from './state-table.js';
import './state.css';

const MEGABYTE = 1024 * 1024;

const scheduleOutcomes = {
  begun: 'begun',
  taken: 'begun elsewhere',
  overlapping: 'left out, the run before went on,',
  missed: 'missed',
} as const;

/** What the server keeps at this moment, and the buttons that end it. */
export default function StatePane() {
  const { on, state, error } = useServerState();
  if (!state || !on) return <Missing what="The state" error={error} />;
  const since = (at: number | undefined) => (at === undefined ? '' : formatMs(Math.max(0, state.at - at)));
  const { counts, queue } = state;
  return (
    <div className="pane-of-lists" tabIndex={0} role="region" aria-label="State of the server">
      <section className="card" aria-label="Overview">
        <Facts
          facts={[
            { name: 'At', value: formatClock(state.at) },
            { name: 'Memory', value: `${Math.round(state.memoryBytes / MEGABYTE)} MB` },
            { name: 'Abandoned work', value: counts.abandoned },
            ...(queue
              ? [
                  {
                    name: 'Task queue',
                    value: `${queue.waiting} wait, ${queue.running} run, ${queue.dead} dead, oldest ${formatMs(queue.oldestMs)}`,
                  },
                ]
              : []),
            {
              name: 'Stores',
              value:
                state.stores.length === 0
                  ? 'none is shared'
                  : state.stores.map(({ store, up, since: at }) => (
                      <Badge key={store} tone={up ? 'good' : 'bad'} title={`since ${formatClock(at)}`}>
                        {store} {up ? 'answers' : 'is away'}
                      </Badge>
                    )),
            },
          ]}
        />
      </section>
      <StateTable
        title="Running calls"
        count={counts.calls}
        columns={['Call', 'Caller', 'Client', 'State', 'For']}
        rows={state.calls.map(({ number, name, caller, client, phase, since: at, isTask }) => ({
          key: String(number),
          cells: [
            `${name} #${number}`,
            callerText(caller),
            client,
            <Badge tone={phase === 'abandoned' ? 'warn' : 'info'}>{isTask ? `${phase} task` : phase}</Badge>,
            since(at),
          ],
          action: phase !== 'abandoned' && (
            <ChangeButton
              method="cancelRunningCall"
              params={{ ...on, number }}
              label="Cancel"
              of={`${name} #${number}`}
            />
          ),
        }))}
      />
      <StateTable
        title="Rate limits"
        count={counts.limits}
        columns={['Operation', 'Caller', 'Used', 'Back in']}
        extra={
          state.limits.length > 0 && (
            <ChangeButton method="resetLimits" params={on} label="Reset all" of="rate limits" />
          )
        }
        rows={state.limits.map(({ key, operation, caller, used, points, resetsAt }) => ({
          key,
          cells: [
            operation,
            callerText(caller),
            <Bar value={used} most={points} />,
            formatMs(Math.max(0, resetsAt - state.at)),
          ],
          action: (
            <ChangeButton
              method="resetLimits"
              params={{ ...on, key }}
              label="Reset"
              of={`${operation}, ${callerText(caller)}`}
            />
          ),
        }))}
      />
      <StateTable
        title="Slots"
        count={counts.slots}
        columns={['Pool', 'Caller', 'Held', 'Waiting']}
        rows={state.slots.map(({ pool, caller, held, limit, waiting }) => ({
          key: `${pool} ${JSON.stringify(caller)}`,
          cells: [pool, callerText(caller), <Bar value={held} most={limit} />, waiting],
        }))}
      />
      <StateTable
        title="Sessions"
        count={counts.sessions}
        columns={['Session', 'Caller', 'Client', 'Revision', 'Open for', 'Unused for', 'Requests', 'Streams']}
        rows={state.sessions.map((session) => ({
          key: session.key,
          cells: [
            <code>{session.key.slice(0, 12)}</code>,
            callerText(session.caller),
            session.client,
            session.revision,
            since(session.openedAt),
            since(session.usedAt),
            session.requests,
            session.streams,
          ],
          action: (
            <ChangeButton
              method="endSession"
              params={{ ...on, key: session.key }}
              label="End"
              of={`session ${session.key.slice(0, 12)}`}
            />
          ),
        }))}
      />
      <StateTable
        title="Streams"
        count={counts.streams}
        columns={['Kind', 'Caller', 'Client', 'Session', 'State', 'Open for']}
        rows={state.streams.map(({ kind, caller, client, session, isConnected, since: at }, index) => ({
          key: `${kind} ${session ?? ''} ${index}`,
          cells: [
            kind,
            callerText(caller),
            client,
            session && <code>{session.slice(0, 12)}</code>,
            isConnected ? 'connected' : 'its client is away',
            since(at),
          ],
        }))}
      />
      <StateTable
        title="Subscriptions"
        count={counts.subscriptions}
        columns={['Kind', 'Of', 'Listeners']}
        rows={state.subscriptions.map(({ kind, of, count }) => ({
          key: `${kind} ${of}`,
          cells: [kind, of, count],
        }))}
      />
      <StateTable
        title="Schedules"
        count={counts.schedules ?? 0}
        columns={['Schedule', 'Times', 'Time zone', 'Next', 'Last']}
        rows={(state.schedules ?? []).map(({ name, cron, timeZone, nextAt, last }) => ({
          key: name,
          cells: [
            name,
            <code>{cron}</code>,
            timeZone,
            nextAt === undefined ? 'never' : `in ${formatMs(Math.max(0, nextAt - state.at))}`,
            last && `${scheduleOutcomes[last.outcome]} ${formatMs(Math.max(0, state.at - last.at))} ago`,
          ],
        }))}
      />
      <StateTable
        title="Tasks"
        count={state.tasks?.length ?? 0}
        empty={state.tasks ? undefined : 'The store of the tasks does not show them.'}
        columns={['Task', 'Tool', 'Owner', 'Status', 'Begun']}
        rows={(state.tasks ?? []).map((task) => ({
          key: task.key,
          cells: [
            <code>{task.key.slice(0, 12)}</code>,
            task.tool,
            callerText(task.caller),
            statusOf(task),
            formatClock(task.createdAt),
          ],
          action:
            task.status === 'working' || task.status === 'input_required' ? (
              <ChangeButton
                method="cancelTask"
                params={{ ...on, key: task.key }}
                label="Cancel"
                of={`task ${task.key.slice(0, 12)}`}
              />
            ) : (
              queue && (
                <ChangeButton
                  method="retryTask"
                  params={{ ...on, key: task.key }}
                  label="Begin again"
                  of={`task ${task.key.slice(0, 12)}`}
                />
              )
            ),
        }))}
      />
    </div>
  );
}

function statusOf({
  status,
  isDead,
  statusMessage,
}: {
  status: string;
  isDead?: boolean;
  statusMessage?: string;
}): ReactNode {
  const tone = isDead || status === 'failed' ? 'bad' : status === 'completed' ? 'good' : 'info';
  return (
    <>
      <Badge tone={tone}>{isDead ? `${status}, look at it` : status}</Badge> {statusMessage}
    </>
  );
}
