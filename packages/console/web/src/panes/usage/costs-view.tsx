import type { CostsAnswer, UsageQuery } from '../../../../src/api/audit-api.js';
import { useAsk } from '../../data/ask.js';
import { hrefOf } from '../../shell/route.js';
import { Empty, Notes, Table } from '../../ui/pieces.js';

type Costs = NonNullable<CostsAnswer['costs']>;

/** What the list and the results take of the context of models, and which changes would save most. */
export function CostsView({ asked }: { asked: Omit<UsageQuery, 'by'> | undefined }) {
  const { data, error } = useAsk('costs', asked, { keepsLast: true });
  if (error) return <Empty title="The audit log cannot be read">{error.message}</Empty>;
  if (!data) return <p className="loading">Adding up the tokens…</p>;
  const { costs, notes, unavailable } = data;
  if (!costs) return <Empty title="There is no audit log to read">{unavailable}</Empty>;
  if (costs.calls === 0 && costs.leftOut.length === 0) return <p>No calls of tools in this time.</p>;
  const { requests, calls, list, tokens, unknown } = costs;
  return (
    <>
      <section className="card stack" aria-label="What would save most">
        <h2>What would save most</h2>
        <p>
          {number(requests)} requests of models wrote {number(calls)} calls, and each had the list of{' '}
          {number(list)} tokens. With the results, models read about {number(tokens)} tokens a week.
        </p>
        <Changes changes={costs.changes} />
        <Notes notes={[...costs.leftOut, ...(notes ?? [])]} />
        <details>
          <summary>What nobody can know from a list and a log</summary>
          <ul>
            {unknown.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </details>
      </section>
      <section className="card stack" aria-label="Tokens of tools">
        <Tools tools={costs.tools} />
        <Weeks weeks={costs.byWeek} />
        <p className="faint">Four bytes are one token. The list is that of a caller with all scopes.</p>
      </section>
    </>
  );
}

const number = (value: number) => value.toLocaleString('en');

function Changes({ changes }: Pick<Costs, 'changes'>) {
  if (changes.length === 0) return <p>No change saves more than one per cent.</p>;
  return (
    <ol>
      {changes.map(({ kind, tokens, percent, requests, advice, condition }) => (
        <li key={kind}>
          <strong>
            {number(tokens)} tokens a week less ({percent} %)
          </strong>
          : {advice}{' '}
          <span className="faint">
            If {condition}.
            {requests !== 0 &&
              ` That takes ${number(Math.abs(requests))} requests a week ${requests > 0 ? 'more' : 'less'}.`}
          </span>
        </li>
      ))}
    </ol>
  );
}

const figures = ['In list', 'Calls', 'List a week', 'Results a week'];

function Tools({ tools }: Pick<Costs, 'tools'>) {
  return (
    <div className="usage-rows" tabIndex={0} role="region" aria-label="Tokens of tools, table">
      <Table titles={['Tool', ...figures]} numbers={figures}>
        {tools.map(({ name, entry, calls, list, results }) => (
          <tr key={name}>
            <td>
              <a href={hrefOf('tools', 'tool', name)}>{name}</a>
            </td>
            {[entry, calls, list, results].map((value, at) => (
              <td key={at} className="number">
                {number(value)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </div>
  );
}

const ofWeeks = ['Requests', 'List', 'Results'];

function Weeks({ weeks }: { weeks: Costs['byWeek'] }) {
  return (
    <Table titles={['Week', ...ofWeeks]} numbers={ofWeeks}>
      {weeks.map(({ week, requests, list, results }) => (
        <tr key={week}>
          <td>{week}</td>
          {[requests, list, results].map((value, at) => (
            <td key={at} className="number">
              {number(value)}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}
