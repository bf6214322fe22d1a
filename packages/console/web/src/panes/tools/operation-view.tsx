import { useState } from 'react';
import type { Operation } from '../../../../src/api/surface-api.js';
import { useOverview } from '../../data/current.js';
import { Description } from '../../ui/description.js';
import { Badge, SourceLink, type Tone } from '../../ui/pieces.js';
import { JsonView } from '../../ui/json-view.js';
import { kindNames } from '../../ui/words.js';
import { Tabs } from '../../ui/tabs.js';
import { CallPanel } from './call-panel.js';

/** One tool, resource, template or prompt: what is published, and a place to call it. */
export function OperationView({ operation }: { operation: Operation }) {
  const { kind, key, name, title, description, location, method, origin, tokens } = operation;
  const overview = useOverview();
  const mayCall = overview?.access.includes('call') ?? false;
  const [tab, setTab] = useState('call');
  return (
    <article className="operation">
      <header className="stack">
        <div className="row">
          <h2 dir="auto">{title ?? name}</h2>
          <Badge>{kindNames[kind]}</Badge>
          {hintsOf(operation).map(({ text, tone, title }) => (
            <Badge key={text} tone={tone} title={title}>
              {text}
            </Badge>
          ))}
          <span className="faint" title="How much of a model's context the entry takes">
            about {tokens.toLocaleString('en')} tokens
          </span>
        </div>
        <div className="row faint">
          <code>{key}</code>
          {method && <span>{method}</span>}
          {location && <SourceLink location={location} />}
          {origin && <span title="The operation of an API that it calls">calls {origin}</span>}
        </div>
        {description && <Description text={description} />}
      </header>
      <Tabs
        label="Views of this operation"
        open={tab}
        choose={setTab}
        tabs={[
          ...(mayCall
            ? [{ id: 'call', title: 'Call', content: () => <CallPanel operation={operation} /> }]
            : []),
          { id: 'schema', title: 'Schema', content: () => <Schemas operation={operation} /> },
          {
            id: 'published',
            title: 'As published',
            content: () => <JsonView value={operation.listed} openTo={4} label="The entry of the list" />,
          },
        ]}
      />
    </article>
  );
}

function Schemas({ operation: { input, output } }: { operation: Operation }) {
  return (
    <div className="stack">
      <h3>Arguments</h3>
      <JsonView value={input} openTo={5} label="The schema of the arguments" />
      {output && <h3>Result</h3>}
      {output && <JsonView value={output} openTo={5} label="The schema of the result" />}
    </div>
  );
}

interface Hint {
  readonly text: string;
  readonly tone: Tone;
  readonly title: string;
}

function hintsOf({ listed, task, app, missingScopes }: Operation): Hint[] {
  const annotations = (listed['annotations'] ?? {}) as Record<string, unknown>;
  const hints: (Hint | false)[] = [
    annotations['readOnlyHint'] === true && {
      text: 'read-only',
      tone: 'good',
      title: 'readOnlyHint: it changes nothing',
    },
    annotations['destructiveHint'] === true && {
      text: 'destructive',
      tone: 'bad',
      title: 'destructiveHint: it may destroy',
    },
    annotations['idempotentHint'] === true && {
      text: 'idempotent',
      tone: 'info',
      title: 'idempotentHint: twice is as once',
    },
    annotations['openWorldHint'] === true && {
      text: 'open world',
      tone: 'warn',
      title: 'openWorldHint: it reaches outside',
    },
    missingScopes !== undefined && {
      text: 'locked',
      tone: 'warn',
      title: `This caller lacks ${missingScopes.join(', ')}`,
    },
    task !== undefined && { text: `task: ${task}`, tone: 'info', title: 'Calls may become tasks' },
    app !== undefined && { text: 'app', tone: 'info', title: `Its result is shown by ${app}` },
  ];
  return hints.filter((hint): hint is Hint => hint !== false);
}
