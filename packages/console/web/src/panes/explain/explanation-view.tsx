import type { Explanation } from '../../../../src/api/explain-api.js';
import { useAsk } from '../../data/ask.js';
import { useOverview } from '../../data/current.js';
import { Badge } from '../../ui/badge.js';
import { Facts } from '../../ui/facts.js';
import { JsonView } from '../../ui/json-view.js';
import { SourceLink } from '../../ui/source-link.js';
import { ProviderTable } from './provider-table.js';
import { differencesOf } from './schema-differences.js';

/** The explanation of one tool. */
export function ExplanationView({ server, explanation }: { server: string; explanation: Explanation }) {
  const { name, description, contract, location, steps, policies, input, output, published } = explanation;
  return (
    <div className="stack explanation">
      <h2>{name}</h2>
      {description !== undefined && <p className="description">{description}</p>}
      <Facts
        facts={[
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
        <Differences natural={input} published={published} />
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
    </div>
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

function Differences({ natural, published }: { natural: object; published: Explanation['published'] }) {
  if (!published)
    return (
      <p className="faint">
        The option authorize hides this tool from every caller that the console can play.
      </p>
    );
  const differences = differencesOf(natural, published['inputSchema']);
  if (differences.length === 0) return <p className="faint">The input is published as it is.</p>;
  return (
    <ul aria-label="Differences between the natural and the published input">
      {differences.map(({ pointer, change }) => (
        <li key={pointer}>
          <code>{pointer || '/'}</code> <Badge tone="info">{change}</Badge>
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
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Keyword</th>
            <th scope="col">Origin</th>
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {origins.map(({ pointer, origin, location }) => (
            <tr key={`${pointer} ${origin}`}>
              <td>
                <code>{pointer || '/'}</code>
              </td>
              <td>{origin}</td>
              <td>{location !== undefined && <SourceLink location={location} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
