import { Suspense, lazy, useState } from 'react';
import type { OwnCall } from '../../../../../src/api/call-api.js';
import type { Operation } from '../../../../../src/api/surface-api.js';
import { JsonView } from '../../../ui/json-view.js';
import { Badge, CopyButton, Table } from '../../../ui/pieces.js';
import { type Tab, Tabs } from '../../../ui/tabs.js';

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
                <AppView key={`${call.id} ${app}`} uri={app} call={call} operation={operation} />
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
  const isEmpty = app === undefined && result['structuredContent'] === undefined && blocks.length === 0;
  return (
    <div className="stack">
      <div className="row">
        {isEmpty && <p className="faint grow">The result is empty: no content, and no structured content.</p>}
        <CopyButton text={() => copied(result, blocks)} label="Copy the result" />
      </div>
      <Tabs label={`Result of ${operation.name}`} tabs={tabs} open={open ?? tabs[0]!.id} choose={setOpen} />
    </div>
  );
}

/** What a person wants to paste: the data, the only text, or else all of it. */
function copied(result: Result, blocks: readonly ContentBlock[]): string {
  const { structuredContent } = result;
  const [only, ...others] = blocks;
  if (structuredContent === undefined && only?.type === 'text' && others.length === 0) return only.text ?? '';
  return JSON.stringify(structuredContent ?? result, null, 2);
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

type Row = Readonly<Record<string, unknown>>;

interface FoundTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** More than anybody reads in a table; the tree has them all. */
const MAX_ROWS = 500;

/** A list of objects in a result: the result itself, or its longest member that is one. */
function findTable(value: unknown): FoundTable | undefined {
  if (isRows(value)) return tableOf('', value);
  if (typeof value !== 'object' || value === null) return undefined;
  const [longest] = Object.entries(value)
    .filter((entry): entry is [string, Row[]] => isRows(entry[1]))
    .sort(([, a], [, b]) => b.length - a.length);
  return longest && tableOf(...longest);
}

function ResultTable({ table: { name, columns, rows } }: { table: FoundTable }) {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={name || 'Result'}>
      <Table titles={columns} numbers={columns.filter((column) => typeof rows[0]?.[column] === 'number')}>
        {rows.slice(0, MAX_ROWS).map((row, index) => (
          <tr key={index}>
            {columns.map((column) => (
              <td key={column} className={typeof row[column] === 'number' ? 'number' : undefined} dir="auto">
                {textOf(row[column])}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {rows.length > MAX_ROWS && <p className="faint">{rows.length - MAX_ROWS} more rows under Data.</p>}
    </div>
  );
}

function tableOf(name: string, rows: readonly Row[]): FoundTable {
  const columns = [...new Set(rows.slice(0, MAX_ROWS).flatMap((row) => Object.keys(row)))];
  return { name, columns, rows };
}

function isRows(value: unknown): value is Row[] {
  const isRow = (each: unknown) => typeof each === 'object' && each !== null && !Array.isArray(each);
  return Array.isArray(value) && value.length > 0 && value.every(isRow);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A block of content, as far as it is shown. Everything in it comes from the server and is not trusted. */
interface ContentBlock {
  readonly type: string;
  readonly role?: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly resource?: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
  };
}

function Block({ block }: { block: ContentBlock }) {
  return (
    <div className="card stack">
      <div className="row faint">
        <Badge>{block.type}</Badge>
        {block.role && <Badge tone="info">{block.role}</Badge>}
        {(block.mimeType ?? block.resource?.mimeType) && (
          <code>{block.mimeType ?? block.resource?.mimeType}</code>
        )}
      </div>
      <Body block={block} />
    </div>
  );
}

function Body({ block }: { block: ContentBlock }) {
  const { type, text, data, mimeType = '', name, title, uri, description, resource } = block;
  if (type === 'text') return <Text text={text ?? ''} />;
  if (type === 'image' || type === 'audio') return <Media type={mimeType} data={data ?? ''} />;
  if (type === 'resource_link')
    return (
      <p>
        <strong>{title ?? name}</strong> <code>{uri}</code>
        {description && <span className="faint"> {description}</span>}
      </p>
    );
  if (type === 'resource' && resource)
    return (
      <div className="stack">
        <code>{resource.uri}</code>
        {resource.text !== undefined && <Text text={resource.text} />}
        {resource.blob !== undefined && <Media type={resource.mimeType ?? ''} data={resource.blob} />}
      </div>
    );
  return <JsonView value={block} openTo={4} />;
}

/** JSON is shown as a tree, everything else as it is. */
function Text({ text }: { text: string }) {
  const parsed = /^\s*[[{]/.test(text) ? read(text) : undefined;
  return parsed === undefined ? (
    <pre dir="auto">{text}</pre>
  ) : (
    <JsonView value={parsed} openTo={3} label="The text, as JSON" />
  );
}

function Media({ type, data }: { type: string; data: string }) {
  const url = `data:${type};base64,${data}`;
  if (type.startsWith('image/')) return <img src={url} alt="What the server sent" className="media" />;
  if (type.startsWith('audio/')) return <audio src={url} controls className="media" />;
  if (type.startsWith('video/')) return <video src={url} controls className="media" />;
  return <p className="faint">{Math.floor((data.length * 3) / 4).toLocaleString('en')} bytes</p>;
}

function read(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
