import { useState } from 'react';
import { useAsk } from '../../data/ask.js';
import { useServer, useSurface } from '../../data/current.js';
import { hrefOf, useRoute } from '../../shell/route.js';
import { Badge, Empty, SearchField } from '../../ui/pieces.js';
import { Split } from '../../ui/split.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { ExplanationView } from './explanation-view.js';
import './explain.css';

const loading = <p className="faint">Loading…</p>;

/** What each decorated method has become. */
export default function ExplainPane() {
  const { data: surface } = useSurface();
  const [server] = useServer();
  const { rest } = useRoute();
  const [text, setText] = useState('');
  const listed = (surface?.operations ?? []).filter(({ kind }) => kind === 'tool');
  const hidden = (surface?.hidden ?? []).filter(({ kind }) => kind === 'tool');
  // Several tools may have one name, each for other callers. They have one row, and the explanation has all of them.
  const rows = new Map(hidden.map(({ key, name }) => [key, { key, name, isHidden: true }]));
  for (const { key, name } of listed) rows.set(key, { key, name, isHidden: false });
  const tools = [...listed, ...hidden].flatMap(({ key }) => {
    const row = rows.get(key);
    rows.delete(key);
    return row ? [row] : [];
  });
  const found = tools.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  const chosen = rest[0] ?? tools[0]?.key;
  const { data, error } = useAsk(
    'explain',
    server && chosen !== undefined ? { server: server.id, tool: chosen } : undefined,
  );
  if (!surface || !server) return <p className="loading">Loading…</p>;
  if (tools.length === 0)
    return <Empty title="There are no tools">Add a method with @McpTool to a service class.</Empty>;
  return (
    <Split
      name="explain"
      title="Tools"
      back={hrefOf('explain')}
      isChosen={rest[0] !== undefined}
      side={
        <>
          <div className="explain-search">
            <SearchField label="Search tools" placeholder="Search" value={text} change={setText} />
          </div>
          <div className="grow explain-list">
            <VirtualList
              items={found}
              keyOf={({ key }) => key}
              height={34}
              label="Tools"
              row={({ key, name, isHidden }) => (
                <a
                  className="explain-choice"
                  href={hrefOf('explain', key)}
                  aria-current={key === chosen ? 'true' : undefined}
                >
                  <span className="grow">{name}</span> {isHidden && <Badge>hidden</Badge>}
                </a>
              )}
            />
          </div>
        </>
      }
      detail={
        error ? (
          <Empty title="This tool cannot be explained">{error.message}</Empty>
        ) : (
          (data && <ExplanationView key={data.name} server={server.id} explanation={data} />) || loading
        )
      }
    />
  );
}
