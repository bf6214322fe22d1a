import type { Operation } from '../../../../src/api/surface-api.js';
import { useSurface } from '../../data/current.js';
import { hrefOf } from '../../shell/route.js';
import { Empty, Missing } from '../../ui/pieces.js';
import { StateTable } from '../state/state-table.js';

const PAGE_TYPE = 'text/html;profile=mcp-app';

/** The pages of MCP Apps: a build makes them of views, or an author writes them by hand. A call of the tool shows one. */
export default function ViewsPane() {
  const { data: surface, error } = useSurface();
  if (!surface) return <Missing what="The views" error={error} />;
  const pages = surface.operations.filter(({ listed }) => listed['mimeType'] === PAGE_TYPE);
  if (pages.length === 0)
    return (
      <Empty title="This server has no views">
        A tool names the component that shows its result: ui: {'{'} view: './views/chart.tsx' {'}'}.
      </Empty>
    );
  return (
    <div className="pane-of-lists" tabIndex={0} role="region" aria-label="Views">
      <StateTable
        title="Views"
        count={pages.length}
        columns={['Page', 'Shows results of', 'Made of', 'Size', 'May load from', 'Built']}
        rows={pages.map((page) => ({ key: page.key, cells: cellsOf(page, surface.operations) }))}
      />
    </div>
  );
}

function cellsOf({ key, listed, built }: Operation, operations: readonly Operation[]) {
  const tools = operations.filter(({ app }) => app === key);
  return [
    <code>{key}</code>,
    <>
      {tools.map((tool, index) => (
        <span key={tool.key}>
          {index > 0 && ', '}
          <a href={hrefOf('tools', tool.kind, tool.key)}>{tool.name}</a>
        </span>
      ))}
    </>,
    built ? built.view : 'by hand',
    built ? `${Math.ceil(built.bytes / 1024)} KB` : '',
    originsOf(listed).join(' ') || 'nothing',
    built ? new Date(built.at).toLocaleString() : '',
  ];
}

/** The origins of all lists of the policy. */
function originsOf({ _meta: meta }: Operation['listed']): string[] {
  const { csp = {} } = (meta as { ui?: { csp?: Record<string, readonly string[]> } } | undefined)?.ui ?? {};
  return [...new Set(Object.values(csp).flat())];
}
