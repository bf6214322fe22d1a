import { useState } from 'react';
import type { Explanation, ProviderVerdict } from '../../../../src/api/explain-api.js';
import { useAsk } from '../../data/ask.js';
import { useOverview } from '../../data/current.js';
import { groupBy } from '../../data/group-by.js';
import { Description } from '../../ui/description.js';
import { JsonView } from '../../ui/json-view.js';
import { Badge, Chips, Facts, SourceLink, type Tone, Table } from '../../ui/pieces.js';

interface Props {
  readonly server: string;
  readonly explanation: Explanation;
}

/** The explanation of a tool, and of the others of its name. */
export function ExplanationView({ server, explanation }: Props) {
  const [chosen, choose] = useState('0');
  const { name, others = [] } = explanation;
  const all = [explanation, ...others];
  const shown = all[Number(chosen)] ?? explanation;
  return (
    <div className="stack explanation">
      <h2>{name}</h2>
      {others.length > 0 && (
        <>
          <p>{all.length} tools have this name, each for other callers.</p>
          <Chips
            label="Tools of this name"
            items={all.map((_each, index) => String(index))}
            chosen={chosen}
            choose={choose}
          >
            {(index) => all[Number(index)]?.description ?? `Tool ${Number(index) + 1}`}
          </Chips>
        </>
      )}
      <OneTool key={chosen} server={server} explanation={shown} />
    </div>
  );
}

function OneTool({ server, explanation }: Props) {
  const { name, description, contract, location, steps, policies, input, output, published } = explanation;
  return (
    <>
      {description !== undefined && <Description text={description} />}
      <Facts
        facts={[
          {
            name: 'For',
            value: explanation.for === undefined ? undefined : <code>{explanation.for}</code>,
          },
          { name: 'Source', value: location === undefined ? undefined : <SourceLink location={location} /> },
          { name: 'Contract', value: <code title={contract}>{contract.slice(0, 16)}</code> },
          {
            name: 'Policies',
            value:
              policies.length === 0
                ? 'none'
                : policies.map((policy) => `${policy.name} (${policy.origin})`).join(', '),
          },
        ]}
      />
      <section aria-labelledby="explain-chain">
        <h3 id="explain-chain">The chain of a call, outermost first</h3>
        <ol className="chain">
          {steps.map((step, index) => (
            <li key={`${step.name} ${index}`}>
              <strong>{step.name}</strong> <Badge>{step.origin}</Badge>{' '}
              <span className="faint">{step.detail}</span>
            </li>
          ))}
          <li>
            <strong>the method</strong>
          </li>
        </ol>
      </section>
      <Origins server={server} tool={name} />
      <section aria-labelledby="explain-schemas">
        <h3 id="explain-schemas">Schemas</h3>
        <Differences natural={input} published={published} by={explanation.for ? 'for' : 'authorize'} />
        <div className="forms">
          <Form title="Natural input: arguments are validated against it" schema={input} />
          {published && (
            <Form title="Published input: what clients get" schema={published['inputSchema'] as object} />
          )}
          {output && <Form title="Natural output" schema={output} />}
          {published?.['outputSchema'] !== undefined && (
            <Form title="Published output" schema={published['outputSchema'] as object} />
          )}
        </div>
      </section>
      <ProviderTable explanation={explanation} />
    </>
  );
}

function Form({ title, schema }: { title: string; schema: object }) {
  return (
    <div className="card form-card" tabIndex={0} role="region" aria-label={title}>
      <h4>{title}</h4>
      <JsonView value={schema} label={title} openTo={3} />
    </div>
  );
}

/** A place in a schema. */
interface Place {
  /** A JSON pointer. */
  readonly pointer: string;
  /** The line of the source. */
  readonly location?: string;
}

function OnePlace({ place: { pointer, location } }: { place: Place }) {
  return (
    <>
      <code>{pointer || '/'}</code> {location !== undefined && <SourceLink location={location} />}
    </>
  );
}

/** One place, or how many there are, which open. */
function Places({ word, places }: { word?: string; places: readonly Place[] }) {
  if (places.length === 1) return <OnePlace place={places[0]!} />;
  return (
    <details className="places">
      <summary>
        {word !== undefined && (
          <>
            <code>{word}</code> in{' '}
          </>
        )}
        {places.length} places
      </summary>
      <ul>
        {places.map((place) => (
          <li key={place.pointer}>
            <OnePlace place={place} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What has the same key, in the order in which it comes: one line each, however many places have it. */
const groupedBy = <T,>(all: readonly T[], keyOf: (each: T) => string): T[][] => [
  ...groupBy(all, keyOf).values(),
];

/** The keyword at which a pointer ends. */
function lastWord({ pointer }: Place): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

interface DifferencesProps {
  readonly natural: object;
  readonly published: Explanation['published'];
  /** The option that hides the tool, if one does. */
  readonly by: 'for' | 'authorize';
}

function Differences({ natural, published, by }: DifferencesProps) {
  if (!published)
    return (
      <p className="faint">The option {by} hides this tool from every caller as whom the console can call.</p>
    );
  const differences = differencesOf(natural, published['inputSchema']);
  if (differences.length === 0) return <p className="faint">The input is published as it is.</p>;
  return (
    <ul aria-label="Differences between the natural and the published input">
      {groupedBy(differences, (each) => `${each.change} ${lastWord(each)}`).map((same) => (
        <li key={same[0]!.pointer}>
          <Places word={lastWord(same[0]!)} places={same} /> <Badge tone="info">{same[0]!.change}</Badge>
        </li>
      ))}
    </ul>
  );
}

/** Where each keyword comes from. Only `toolwright dev` knows it. */
function Origins({ server, tool }: { server: string; tool: string }) {
  const hasProject = useOverview()?.access.includes('project') ?? false;
  const { data: origins } = useAsk('origins', hasProject ? { server, tool } : undefined);
  if (!origins || origins.length === 0) return null;
  return (
    <section aria-labelledby="explain-origins">
      <h3 id="explain-origins">Where each keyword comes from</h3>
      <Table titles={['Origin', 'Keyword']}>
        {groupedBy(origins, (each) => `${lastWord(each)} ${each.origin}`).map((same) => (
          <tr key={same[0]!.pointer}>
            <td>{same[0]!.origin}</td>
            <td>
              <Places word={lastWord(same[0]!)} places={same} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

const tones: Readonly<Record<ProviderVerdict, Tone>> = { kept: 'good', weakened: 'warn', lost: 'bad' };

/** What client libraries make of the schema, side by side. */
function ProviderTable({ explanation: { providers, constructs } }: { explanation: Explanation }) {
  return (
    <section aria-labelledby="explain-providers">
      <h3 id="explain-providers">What providers keep</h3>
      <p className="faint">
        Weakened: the model can write every valid argument, but the rule does not reach it as a rule. Lost: it
        cannot write some valid arguments. The server checks every rule in any case.
      </p>
      {constructs.length === 0 ? (
        <p>All tested client libraries keep this schema as it is.</p>
      ) : (
        <div className="provider-scroll" tabIndex={0} role="region" aria-label="Verdicts by library">
          <Table titles={['Place', 'Construct', ...providers]}>
            {[...groupedBy(constructs, ({ construct }) => construct)].map((same) => {
              const { construct, verdicts } = same[0]!;
              return (
                <tr key={construct}>
                  <td>
                    <Places places={same} />
                  </td>
                  <td>{construct}</td>
                  {verdicts.map((verdict, index) => (
                    <td key={providers[index]}>
                      <Badge tone={tones[verdict]}>{verdict}</Badge>
                    </td>
                  ))}
                </tr>
              );
            })}
          </Table>
        </div>
      )}
    </section>
  );
}

/** One place in which two schemas differ. */
interface Difference extends Place {
  readonly change: 'left out' | 'added' | 'changed';
}

/** Where a published schema differs from the natural one. Below a place that differs as a whole, nothing more is listed. */
function differencesOf(natural: unknown, published: unknown, pointer = ''): Difference[] {
  if (!isBranch(natural) || !isBranch(published) || Array.isArray(natural) !== Array.isArray(published))
    return JSON.stringify(natural) === JSON.stringify(published) ? [] : [{ pointer, change: 'changed' }];
  const names = new Set([...Object.keys(natural), ...Object.keys(published)]);
  return [...names].flatMap((name): Difference[] => {
    const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Object.hasOwn(published, name)) return [{ pointer: place, change: 'left out' }];
    if (!Object.hasOwn(natural, name)) return [{ pointer: place, change: 'added' }];
    return differencesOf(natural[name], published[name], place);
  });
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
