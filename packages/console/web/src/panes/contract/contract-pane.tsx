import { useEffect, useState } from 'react';
import type { ProjectProblem } from '../../../../src/api/overview-api.js';
import type { Contract, ContractChange } from '../../../../src/api/project-api.js';
import { count } from '../../../../../json/src/text/count.js';
import { useAsk } from '../../data/ask.js';
import { useServer } from '../../data/current.js';
import { onEvent } from '../../data/live.js';
import { hrefOf } from '../../shell/route.js';
import { Badge, Empty, SourceLink, type Tone, Button } from '../../ui/pieces.js';
import { formatClock, formatMs } from '../../ui/words.js';
import { LintProblems, tones } from './lint-problems.js';
import { TokenMap } from './token-map.js';
import './contract.css';

/** What is wrong with what the server publishes, what it costs, and what has changed. It follows each edit. */
export default function ContractPane() {
  const [server] = useServer();
  const { data: contract, error, isFetching } = useAsk('contract', server && { server: server.id });
  const build = useLastBuild();
  if (error && !contract) return <Empty title="The project cannot be looked at">{error.message}</Empty>;
  if (!contract) return <p className="loading">Looking at the project…</p>;
  const { problems, lintProblems, tokens, changes, lockFile } = contract;
  return (
    <div className="contract">
      <div className="row" role="status">
        <Verdict contract={contract} />
        {build && (
          <span className="faint">
            compiled at {formatClock(build.at)} in {formatMs(build.durationMs)}
          </span>
        )}
        {isFetching && <span className="faint">looking again…</span>}
      </div>
      {error && <p className="problem">{error.message}</p>}
      <section className="card stack">
        <h2>Problems of the compilation</h2>
        <Problems problems={problems} none="The last compilation has no problems." />
      </section>
      <section className="card stack">
        <h2>Problems of the linter</h2>
        <LintProblems problems={lintProblems} />
      </section>
      <section className="card stack">
        <h2>Changes since the lock</h2>
        <Changes changes={changes} lockFile={lockFile} />
      </section>
      <section className="card stack">
        <h2>Tokens</h2>
        <TokenBudget tokens={tokens} />
      </section>
    </div>
  );
}

function Verdict({ contract: { problems, lintProblems, changes = [] } }: { contract: Contract }) {
  const errors = [...problems, ...lintProblems].filter(({ severity }) => severity === 'error').length;
  const others = problems.length + lintProblems.length - errors;
  const breaking = changes.filter(({ kind }) => kind === 'breaking').length;
  return (
    <>
      {errors > 0 && <Badge tone="bad">{count(errors, 'error')}</Badge>}
      {others > 0 && <Badge tone="warn">{count(others, 'advice', 'pieces of advice')}</Badge>}
      {breaking > 0 && <Badge tone="bad">{count(breaking, 'breaking change')}</Badge>}
      {errors + others + breaking === 0 && <Badge tone="good">nothing to repair</Badge>}
    </>
  );
}

interface Build {
  readonly at: number;
  readonly durationMs: number;
}

/** The last compilation that ended while this pane was open. */
function useLastBuild(): Build | undefined {
  const [build, setBuild] = useState<Build>();
  useEffect(
    () =>
      onEvent((event) => {
        if (event.type === 'build') setBuild({ at: Date.now(), durationMs: event.durationMs });
      }),
    [],
  );
  return build;
}

const kinds: Readonly<Record<ContractChange['kind'], { readonly tone: Tone; readonly title: string }>> = {
  breaking: { tone: 'bad', title: 'A client that works today may fail.' },
  compatible: { tone: 'good', title: 'Clients that work today go on working.' },
  text: { tone: 'info', title: 'Models read another text.' },
};
const kindOrder = Object.keys(kinds);

interface Props {
  readonly changes: readonly ContractChange[] | undefined;
  readonly lockFile: string | undefined;
}

/** What differs from the lock file, the breaking changes first. */
function Changes({ changes, lockFile }: Props) {
  if (!changes)
    return (
      <p className="faint">
        There is no lock file. <code>toolwright lock</code> writes down what is published now, and this page
        then shows what changes.
      </p>
    );
  const file = <code>{lockFile ?? 'the lock file'}</code>;
  if (changes.length === 0) return <p className="faint">What is published is what {file} says.</p>;
  const sorted = [...changes].sort((a, b) => kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind));
  return (
    <>
      <p className="faint">
        Compared with {file}. <code>toolwright lock</code> accepts the changes.
      </p>
      <ul className="problems">
        {sorted.map(({ tool, operation, kind, message }, index) => (
          <li key={index}>
            <Badge tone={kinds[kind].tone} title={kinds[kind].title}>
              {kind}
            </Badge>
            <div>
              {operation ? <a href={hrefOf('tools', operation.kind, operation.key)}>{tool}</a> : tool}
              <p className="problem-text">{message}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

const order = Object.keys(tones);

/** Problems, the worst first, each with its place in the source. */
function Problems({ problems, none }: { problems: readonly ProjectProblem[]; none: string }) {
  if (problems.length === 0) return <p className="faint">{none}</p>;
  const sorted = [...problems].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  return (
    <ul className="problems">
      {sorted.map(({ severity, code, message, tool, location }, index) => (
        <li key={index}>
          <Badge tone={tones[severity]}>{severity}</Badge>
          <div>
            <p className="problem-text">{message}</p>
            <p className="row faint">
              <code>{code}</code>
              {tool !== undefined && <a href={hrefOf('tools', 'tool', tool)}>{tool}</a>}
              {location !== undefined && <SourceLink location={location} />}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** As many tools as a person compares at once. The rest is one click away. */
const MOST_SHOWN = 30;

/** How much of a model's context the tools take: in all, against the budget, and each of them. */
function TokenBudget({ tokens }: { tokens: Contract['tokens'] }) {
  const { total, budget, tools } = tokens;
  const [isWhole, setWhole] = useState(false);
  const sorted = [...tools].sort((a, b) => b.tokens - a.tokens);
  const most = sorted[0]?.tokens ?? 1;
  const isOver = budget !== undefined && total > budget;
  if (tools.length === 0) return <p className="faint">No tools yet.</p>;
  return (
    <>
      <p className="row">
        <strong>about {total.toLocaleString('en')} tokens in all</strong>
        {budget !== undefined && <span className="faint">budget: {budget.toLocaleString('en')}</span>}
        {isOver && <Badge tone="bad">{(total - budget).toLocaleString('en')} over the budget</Badge>}
      </p>
      {budget !== undefined && (
        <div className="token-bar" aria-hidden>
          <span
            className={isOver ? 'over' : undefined}
            style={{ width: `${Math.min(100, (total / budget) * 100)}%` }}
          />
        </div>
      )}
      <TokenMap tokens={tokens} />
      <ul className="token-list" aria-label="Tokens of each tool, the most first">
        {sorted.slice(0, isWhole ? undefined : MOST_SHOWN).map(({ name, tokens: own }) => (
          <li key={name}>
            <a href={hrefOf('tools', 'tool', name)}>{name}</a>
            <span className="number">{own.toLocaleString('en')}</span>
            <div className="token-bar" aria-hidden>
              <span style={{ width: `${(own / most) * 100}%` }} />
            </div>
          </li>
        ))}
      </ul>
      {sorted.length > MOST_SHOWN && !isWhole && (
        <Button onClick={() => setWhole(true)}>Show {sorted.length - MOST_SHOWN} more</Button>
      )}
    </>
  );
}
