import { lazy, Suspense, useState } from 'react';
import type { OwnCall } from '../../../../../src/api/call-api.js';
import type { Operation } from '../../../../../src/api/surface-api.js';
import { JsonView } from '../../../ui/json-view.js';
import { Tabs, type Tab } from '../../../ui/tabs.js';
import { Block, type ContentBlock } from './content-block.js';
import { findTable, ResultTable } from './result-table.js';

const AppView = lazy(() => import('./app-view.js'));

type Result = Readonly<Record<string, unknown>>;

/** A result as people want to see it, and as it was sent. */
export function ResultView({
  result,
  call,
  operation,
}: {
  result: Result;
  call: OwnCall;
  operation: Operation;
}) {
  const { app } = operation;
  const table = findTable(result['structuredContent']);
  const blocks = blocksOf(result);
  const tabs: Tab[] = [
    ...(app !== undefined
      ? [
          {
            id: 'app',
            title: 'App',
            content: () => (
              <Suspense fallback={<p className="faint">Loading…</p>}>
                <AppView uri={app} call={call} />
              </Suspense>
            ),
          },
        ]
      : []),
    ...(table ? [{ id: 'table', title: 'Table', content: () => <ResultTable table={table} /> }] : []),
    ...(result['structuredContent'] !== undefined
      ? [
          {
            id: 'data',
            title: 'Data',
            content: () => (
              <JsonView value={result['structuredContent']} openTo={4} label="Structured content" />
            ),
          },
        ]
      : []),
    ...(blocks.length > 0
      ? [{ id: 'content', title: `Content (${blocks.length})`, content: () => <Blocks blocks={blocks} /> }]
      : []),
    {
      id: 'raw',
      title: 'Raw',
      content: () => <JsonView value={result} openTo={6} label="The whole result" />,
    },
  ];
  const [open, setOpen] = useState<string>();
  return (
    <Tabs label={`Result of ${operation.name}`} tabs={tabs} open={open ?? tabs[0]!.id} choose={setOpen} />
  );
}

function Blocks({ blocks }: { blocks: readonly ContentBlock[] }) {
  return (
    <div className="stack">
      {blocks.map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </div>
  );
}

/** The blocks of a tool's result, the messages of a prompt, or the contents of a resource. */
function blocksOf({ content, messages, contents }: Result): ContentBlock[] {
  if (Array.isArray(content)) return content as ContentBlock[];
  if (Array.isArray(messages))
    return (messages as { role: string; content: ContentBlock }[]).map(({ role, content }) => ({
      ...content,
      role,
    }));
  if (Array.isArray(contents))
    return (contents as ContentBlock['resource'][]).map((resource) => ({
      type: 'resource',
      resource: resource!,
    }));
  return [];
}
