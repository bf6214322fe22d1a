import { useState } from 'react';
import type { CaseReport, EvaluationReport } from '../../../../../json/src/base/evaluation-report.js';
import { useAsk } from '../../data/ask.js';
import { hrefOf } from '../../shell/route.js';
import { Badge, Chips, Empty, type Tone, Table } from '../../ui/pieces.js';
import './evaluations.css';

/** Tests write reports at any time, and nothing tells the console. */
const LOOK_AGAIN_MS = 3_000;

/** Which tools a model called for each request of a table, and what has changed since the last run. */
export default function EvaluationsPane() {
  const { data: evaluations, error } = useAsk('evaluations', {}, { refetchInterval: LOOK_AGAIN_MS });
  const [name, choose] = useState<string>();
  if (error && !evaluations) return <Empty title="The reports cannot be read">{error.message}</Empty>;
  if (!evaluations) return <p className="loading">Reading the reports…</p>;
  const chosen = evaluations.find((each) => each.name === name) ?? evaluations[0];
  if (!chosen)
    return (
      <Empty title="No table of requests was run yet">
        A test calls <code>evaluate</code> of <code>@toolwright/testing</code> with requests and the calls
        that they should lead to. Its last report is shown here.
      </Empty>
    );
  return (
    <div className="evaluations">
      {evaluations.length > 1 && (
        <Chips
          label="Tables"
          items={evaluations.map((each) => each.name)}
          chosen={chosen.name}
          choose={choose}
        >
          {(each) => each}
        </Chips>
      )}
      <Summary evaluation={chosen} />
      <section className="card stack">
        <h2>Requests</h2>
        <Cases key={chosen.name} cases={chosen.cases} />
      </section>
      <section className="card stack">
        <h2>Tools</h2>
        <Tools tools={chosen.tools} />
      </section>
    </div>
  );
}

function Summary({ evaluation }: { evaluation: EvaluationReport }) {
  const { cases, model, at, usage, cost, spent, ofAnotherList } = evaluation;
  const passed = cases.filter((each) => each.passed).length;
  const count = (change: CaseReport['change']) => cases.filter((each) => each.change === change).length;
  const asked = cases.filter(({ source }) => source === 'asked').length;
  return (
    <>
      <div className="row" role="status">
        <Badge tone={passed === cases.length ? 'good' : 'bad'}>
          {passed} of {cases.length} right
        </Badge>
        {count('broken') > 0 && <Badge tone="bad">{count('broken')} broken</Badge>}
        {count('repaired') > 0 && <Badge tone="good">{count('repaired')} repaired</Badge>}
        <span className="faint">
          {model}, {new Date(at).toLocaleString('en')}
        </span>
      </div>
      <p className="faint">
        {tokensOf(usage).toLocaleString('en')} tokens{cost !== undefined && `, ${formatCost(cost)}`}. {asked}{' '}
        asked in the last run{spent.cost !== undefined && `, for ${formatCost(spent.cost)}`}.
        {ofAnotherList > 0 &&
          ` Recorded with another list of tools: ${ofAnotherList}. TOOLWRIGHT_EVALUATE=all asks all again.`}
      </p>
    </>
  );
}

const filters = ['all', 'wrong', 'changed'] as const;
const isShown: Readonly<Record<(typeof filters)[number], (each: CaseReport) => boolean>> = {
  all: () => true,
  wrong: ({ passed }) => !passed,
  changed: ({ change, callsBefore }) => change !== 'same' || callsBefore !== undefined,
};
const changes: Readonly<Record<CaseReport['change'], Tone>> = {
  new: 'info',
  same: 'plain',
  repaired: 'good',
  broken: 'bad',
};

/** The wrong ones first. */
function Cases({ cases }: { cases: readonly CaseReport[] }) {
  const [filter, setFilter] = useState<(typeof filters)[number]>('all');
  const shown = cases.filter(isShown[filter]).sort((a, b) => Number(a.passed) - Number(b.passed));
  return (
    <>
      <Chips label="Which requests" items={filters} chosen={filter} choose={setFilter}>
        {(each) => `${each} ${cases.filter(isShown[each]).length}`}
      </Chips>
      <ul className="evaluated" aria-label="Requests">
        {shown.map((each) => (
          <li key={each.name}>
            <Badge tone={each.passed ? 'good' : 'bad'}>
              {each.passed ? 'right' : each.source === 'missing' ? 'missing' : 'wrong'}
            </Badge>
            <div>
              <p className="row">
                <strong>{each.name}</strong>
                {each.change !== 'same' && <Badge tone={changes[each.change]}>{each.change}</Badge>}
              </p>
              {each.problems.map(({ message }) => (
                <p key={message}>{message}</p>
              ))}
              {each.source !== 'missing' && (
                <>
                  <Calls of={each} />
                  <p className="faint">{detailsOf(each)}</p>
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function Calls({ of: { calls, callsBefore, text } }: { of: CaseReport }) {
  const show = (all: CaseReport['calls']) =>
    all.map(({ tool, arguments: given }) => `${tool}(${JSON.stringify(given)})`).join(', ') || 'no call';
  return (
    <>
      <code>{show(calls)}</code>
      {callsBefore && (
        <p className="faint">
          before: <code>{show(callsBefore)}</code>
        </p>
      )}
      {text !== undefined && <p className="faint">and says: “{text}”</p>}
    </>
  );
}

function detailsOf({ source, reason, right, answers, usage, tokensBefore, cost }: CaseReport): string {
  const tokens = tokensOf(usage);
  const parts = [
    reason === undefined ? source : `${source}: ${reason}`,
    answers > 1 && `${right} of ${answers} answers right`,
    tokens > 0 && `${tokens.toLocaleString('en')} tokens`,
    tokensBefore !== undefined && `${tokensBefore.toLocaleString('en')} before`,
    cost !== undefined && formatCost(cost),
  ];
  return parts.filter((part) => typeof part === 'string').join(' · ');
}

/** What a model took for each tool. */
function Tools({ tools }: { tools: EvaluationReport['tools'] }) {
  return (
    <div className="evaluated-tools" tabIndex={0} role="region" aria-label="Tools, table">
      <Table titles={['Tool', 'Called', 'Called in its place']} numbers={['Called']}>
        {tools.map(({ name, expected, called, instead }) => (
          <tr key={name}>
            <td>
              <a href={hrefOf('tools', 'tool', name)}>{name}</a>
            </td>
            <td className="number">
              {called} of {expected}
            </td>
            <td>
              {Object.entries(instead)
                .map(([other, count]) => `${other} ${count}`)
                .join(', ')}
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

const tokensOf = ({ inputTokens, outputTokens }: EvaluationReport['usage']) => inputTokens + outputTokens;
/** The currency is that of the prices, which the table does not say. */
const formatCost = (cost: number) =>
  `cost ${cost.toLocaleString('en', cost < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 })}`;
