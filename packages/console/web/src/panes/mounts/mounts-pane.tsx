import type { ReactNode } from 'react';
import type { MountStatus } from '../../../../../json/src/base/shown-mounts.js';
import { useServerState } from '../../data/current.js';
import { Badge, Empty, Missing, type Tone } from '../../ui/pieces.js';
import { formatMs } from '../../ui/words.js';
import { ChangeButton, StateTable } from '../state/state-table.js';
import { HeldChanges } from './held-changes.js';
import './mounts.css';

/** The servers behind this one, what they have changed, and what to read of them. */
export default function MountsPane() {
  const { on, state, error } = useServerState();
  if (!state || !on) return <Missing what="The mounts" error={error} />;
  const { mounts = [], heldChanges = [], counts } = state;
  if (mounts.length === 0)
    return (
      <Empty title="This server mounts no other server">
        mountServer of @toolwright/mount puts MCP servers of others behind this one.
      </Empty>
    );
  return (
    <div className="pane-of-lists" tabIndex={0} role="region" aria-label="Mounted servers">
      <StateTable
        title="Mounts"
        count={counts.mounts ?? mounts.length}
        columns={[
          'Mount',
          'State',
          'Server',
          'Behind',
          'Operations',
          'Sessions',
          'Calls',
          'Failures',
          'p50, p99',
        ]}
        rows={mounts.map((mount) => ({
          key: mount.name,
          cells: [
            mount.name,
            stateOf(mount, state.at),
            mount.server && `${mount.server.name} ${mount.server.version}`,
            mount.url ?? mount.command,
            mount.operations,
            sessionsOf(mount),
            mount.calls,
            mount.failures,
            mount.latency && `${formatMs(mount.latency.p50)}, ${formatMs(mount.latency.p99)}`,
          ],
          action: (
            <ChangeButton
              method="restartMount"
              params={{ ...on, mount: mount.name }}
              label="Restart"
              of={mount.name}
            />
          ),
        }))}
      />
      <HeldChanges on={on} changes={heldChanges} count={counts.heldChanges ?? heldChanges.length} />
      <Findings
        title="Words to read"
        columns={['Mount', 'Of', 'Words']}
        rows={mounts.flatMap(({ name, suspicious }) =>
          suspicious.map((each) => [name, `${each.kind} ${each.name}`, <mark>{each.words}</mark>]),
        )}
      />
      <Findings
        title="Left out"
        columns={['Mount', 'What', 'Why']}
        rows={mounts.flatMap(({ name, left }) =>
          left.map((each) => [name, `${each.kind} ${each.name}`, each.reason]),
        )}
      />
      <Findings
        title="Breaches of the protocol"
        columns={['Mount', 'What it tried', 'Times']}
        rows={mounts.flatMap(({ name, tricks }) =>
          Object.entries(tricks).map(([trick, times]) => [name, trick, times]),
        )}
      />
    </div>
  );
}

/** How many findings of one kind are shown. A server could give a reason for thousands. */
const SHOWN = 200;

interface FindingsProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}

function Findings({ title, columns, rows }: FindingsProps) {
  const shown = rows.slice(0, SHOWN).map((cells, index) => ({ key: String(index), cells }));
  return <StateTable title={title} count={rows.length} columns={columns} rows={shown} />;
}

const tones: Record<MountStatus['state'], Tone> = {
  up: 'good',
  connecting: 'info',
  down: 'bad',
  closed: 'plain',
};

function stateOf({ state, since, retryAt, error }: MountStatus, now: number): ReactNode {
  const again = retryAt === undefined ? '' : `, tried again in ${formatMs(Math.max(0, retryAt - now))}`;
  return (
    <>
      <Badge tone={tones[state]}>{state}</Badge> for {formatMs(Math.max(0, now - since))}
      {again}
      {error !== undefined && <span className="mount-error">{error}</span>}
    </>
  );
}

function sessionsOf({ sessions, processes }: MountStatus): string {
  return processes.length === 0 ? String(sessions) : `${sessions}, in ${processes.length} processes`;
}
