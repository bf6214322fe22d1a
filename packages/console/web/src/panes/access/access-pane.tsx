import { useState } from 'react';
import type { Identity, SeenTool, Sight } from '../../../../src/api/surface-api.js';
import { useAsk } from '../../data/ask.js';
import { useIdentity, useOverview, useServer, useSurface } from '../../data/current.js';
import { go, hrefOf } from '../../shell/route.js';
import { Badge, Chips, Empty, SearchField, type Tone, Button } from '../../ui/pieces.js';
import './access.css';

/** A column of the table. `as: null` is an anonymous caller. */
interface Column {
  readonly title: string;
  readonly as: Identity | null;
}

const filters = ['all', 'differing', 'locked', 'hidden'] as const;

/** Every tool, and what each caller as whom the console can call gets of it. */
export default function AccessPane() {
  const [server] = useServer();
  const { data: surface } = useSurface();
  const columns = useColumns(surface?.scopes);
  const [text, setText] = useState('');
  const [filter, setFilter] = useState<(typeof filters)[number]>('all');
  const { data: tools, error } = useAsk(
    'whoSees',
    server && surface && { server: server.id, callers: columns.map(({ as }) => as) },
  );
  if (error) return <Empty title="The callers cannot be compared">{error.message}</Empty>;
  if (!tools) return <p className="loading">Loading…</p>;
  if (tools.length === 0)
    return <Empty title="There are no tools">Add a method with @McpTool to a service class.</Empty>;
  const found = tools.filter(
    (tool) => tool.key.toLowerCase().includes(text.toLowerCase()) && fits(tool, filter),
  );
  return (
    <div className="access">
      <div className="row access-head">
        <SearchField label="Search tools" placeholder="Search" value={text} change={setText} />
        <Chips label="Which tools" items={filters} chosen={filter} choose={setFilter}>
          {(each) => each}
        </Chips>
        <span className="faint" role="status">
          {found.length} of {tools.length}
        </span>
      </div>
      <div className="access-scroll" tabIndex={0} role="region" aria-label="Tools and callers">
        <Matrix tools={found} columns={columns} />
      </div>
    </div>
  );
}

/** Nobody, the caller that is chosen, the test users of the local issuer, and one with every scope. */
function useColumns(scopes: readonly string[] = []): Column[] {
  const [chosen] = useIdentity();
  const { testUsers = [] } = useOverview() ?? {};
  const people: Identity[] = [...testUsers];
  const isKnown = ({ subject, issuer }: Identity) =>
    subject === chosen?.subject && issuer === chosen.issuer && !chosen.claims;
  if (chosen && !people.some(isKnown)) people.unshift(chosen);
  return [
    { title: 'anonymous', as: null },
    ...people.map((as) => ({ title: as.subject, as })),
    ...(scopes.length > 0 ? [{ title: 'every scope', as: { subject: 'every-scope', scopes } }] : []),
  ];
}

function fits({ sights }: SeenTool, filter: (typeof filters)[number]): boolean {
  if (filter === 'all') return true;
  if (filter === 'differing') return sights.some(({ state }) => state !== sights[0]!.state);
  return sights.some(({ state }) => state === filter);
}

function Matrix({ tools, columns }: { tools: readonly SeenTool[]; columns: readonly Column[] }) {
  const [chosen, choose] = useIdentity();
  return (
    <table className="table access-table">
      <thead>
        <tr>
          <th scope="col">Tool</th>
          {columns.map(({ title, as }, index) => (
            <th key={`${title} ${index}`} scope="col">
              <Button
                className="link"
                title="The console then lists and calls tools as this caller"
                aria-label={`Call as ${title}`}
                onClick={() => {
                  choose(as ?? undefined);
                  go('tools');
                }}
              >
                {title}
              </Button>
              {(chosen?.subject ?? null) === (as?.subject ?? null) && <Badge tone="info">now</Badge>}
              <p className="access-scopes">{as?.scopes.join(' ') || 'no scope'}</p>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tools.map(({ key, sights }) => (
          <tr key={key}>
            <th scope="row">
              <a href={hrefOf('explain', key)}>{key}</a>
            </th>
            {sights.map((sight, index) => (
              <td key={index}>
                <Badge tone={tones[sight.state]}>{sight.state}</Badge> <Reason sight={sight} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const tones: Readonly<Record<Sight['state'], Tone>> = { open: 'good', locked: 'warn', hidden: 'bad' };

function Reason({ sight: { state, guard, missingScopes } }: { sight: Sight }) {
  if (state === 'open') return null;
  if (guard === 'scopes') return <p className="access-reason">lacks {missingScopes.join(', ')}</p>;
  return (
    <p className="access-reason">
      {guard === 'authorize' ? (
        <>
          <code>authorize</code> says no
        </>
      ) : (
        'the list leaves it out'
      )}
    </p>
  );
}
