import { useState } from 'react';
import type { Usage, UsageQuery } from '../../../../src/api/audit-api.js';
import { useAsk } from '../../data/ask.js';
import { useServer } from '../../data/current.js';
import { hrefOf } from '../../shell/route.js';
import { Badge, Chips, Empty, Notes, Table } from '../../ui/pieces.js';
import { CostsView } from './costs-view.js';
import './usage.css';

/** Each is a useful question. The command line has every other combination. */
const groupings: Readonly<Record<string, UsageQuery['by']>> = {
  tool: ['tool'],
  client: ['tool', 'client'],
  tenant: ['tool', 'tenant'],
  week: ['tool', 'week'],
  'old versions': ['tool', 'version', 'client'],
};
/** A question of its own: what the tools cost. */
const COST = 'cost';
const spans = { '7 days': 7, '30 days': 30, '90 days': 90, all: undefined } as const;

/** Who calls which tool, how often and how fast, and what the results take, from the audit log. */
export default function UsagePane() {
  const [server] = useServer();
  const [grouping, group] = useState('tool');
  const [span, look] = useState<keyof typeof spans>('30 days');
  const days = spans[span];
  const asked = server && { server: server.id, ...(days !== undefined && { days }) };
  return (
    <div className="usage">
      <div className="row">
        <Chips label="Group by" items={[...Object.keys(groupings), COST]} chosen={grouping} choose={group}>
          {(each) => each}
        </Chips>
        <Chips label="Since" items={Object.keys(spans) as (keyof typeof spans)[]} chosen={span} choose={look}>
          {(each) => each}
        </Chips>
      </div>
      {grouping === COST ? <CostsView asked={asked} /> : <UsageView grouping={grouping} asked={asked} />}
    </div>
  );
}

interface ViewProps {
  readonly grouping: string;
  readonly asked: Omit<UsageQuery, 'by'> | undefined;
}

function UsageView({ grouping, asked }: ViewProps) {
  const by = groupings[grouping]!;
  const deprecated = grouping === 'old versions';
  const { data: usage, error } = useAsk(
    'usage',
    asked && { ...asked, by, ...(deprecated && { deprecated }) },
    {
      keepsLast: true,
    },
  );
  if (error) return <Empty title="The audit log cannot be read">{error.message}</Empty>;
  if (!usage) return <p className="loading">Adding up the calls…</p>;
  if (usage.unavailable !== undefined)
    return <Empty title="There is no audit log to read">{usage.unavailable}</Empty>;
  return (
    <section className="card stack" aria-label="Usage">
      {usage.rows.length === 0 ? <p>No calls of tools in this time.</p> : <Rows by={by} usage={usage} />}
      <Notes notes={usage.notes} />
      <p className="faint">
        A token is four bytes of a result. A client without a token is what it says about itself.
        {usage.more > 0 && ` ${usage.more} more rows: see toolwright usage.`}
      </p>
    </section>
  );
}

const figures: readonly (readonly [title: string, read: (row: Usage['rows'][number]) => string])[] = [
  ['Calls', ({ calls }) => calls.toLocaleString('en')],
  ['Errors', ({ errors }) => errors.toLocaleString('en')],
  ['Refused', ({ refused }) => refused.toLocaleString('en')],
  ['p50', ({ p50Ms }) => (p50Ms === undefined ? '' : `${p50Ms} ms`)],
  ['p95', ({ p95Ms }) => (p95Ms === undefined ? '' : `${p95Ms} ms`)],
  ['Tokens', ({ tokens }) => tokens.toLocaleString('en')],
  ['Last used', ({ lastUsed }) => new Date(lastUsed).toISOString().slice(0, 10)],
];

const titles = figures.map(([title]) => title);

function Rows({ by, usage: { rows } }: { by: UsageQuery['by']; usage: Usage }) {
  return (
    <div className="usage-rows" tabIndex={0} role="region" aria-label="Usage, table">
      <Table titles={[...by.map((key) => key[0]!.toUpperCase() + key.slice(1)), ...titles]} numbers={titles}>
        {rows.map((row) => (
          <tr key={JSON.stringify(row.keys)}>
            {by.map((key) => (
              <td key={key}>
                {key === 'tool' ? (
                  <>
                    <a href={hrefOf('tools', 'tool', row.keys.tool ?? '')}>{row.keys.tool}</a>{' '}
                    {row.deprecatedCalls > 0 && (
                      <Badge tone="warn">
                        {row.deprecated ? 'deprecated' : `${row.deprecatedCalls} deprecated`}
                      </Badge>
                    )}
                  </>
                ) : (
                  row.keys[key] || '-'
                )}
              </td>
            ))}
            {figures.map(([title, read]) => (
              <td key={title} className="number">
                {read(row)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </div>
  );
}
