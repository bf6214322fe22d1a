import { useEffect, useState } from 'react';
import type { Contract } from '../../../../src/api/project-api.js';
import { useAsk } from '../../data/ask.js';
import { useServer } from '../../data/current.js';
import { onEvent } from '../../data/live.js';
import { Badge } from '../../ui/badge.js';
import { Empty } from '../../ui/empty.js';
import { formatClock, formatMs } from '../../ui/format-time.js';
import { Changes } from './changes.js';
import { Problems } from './problems.js';
import { TokenBudget } from './token-budget.js';
import './contract.css';

/** What is wrong with what the server publishes, what it costs, and what has changed. It follows each edit. */
export default function ContractPane() {
  const [server] = useServer();
  const { data: contract, error, isFetching } = useAsk('contract', server && { server: server.id });
  const build = useLastBuild();
  if (error && !contract) return <Empty title="The project cannot be looked at">{error.message}</Empty>;
  if (!contract) return <p className="loading">Looking at the project…</p>;
  const { problems, findings, tokens, changes, lockFile } = contract;
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
        <h2>Findings of the linter</h2>
        <Problems problems={findings} none="The linter finds nothing." />
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

function Verdict({ contract: { problems, findings, changes = [] } }: { contract: Contract }) {
  const errors = [...problems, ...findings].filter(({ severity }) => severity === 'error').length;
  const others = problems.length + findings.length - errors;
  const breaking = changes.filter(({ kind }) => kind === 'breaking').length;
  return (
    <>
      {errors > 0 && <Badge tone="bad">{counted(errors, 'error')}</Badge>}
      {others > 0 && <Badge tone="warn">{counted(others, 'advice', 'pieces of advice')}</Badge>}
      {breaking > 0 && <Badge tone="bad">{counted(breaking, 'breaking change')}</Badge>}
      {errors + others + breaking === 0 && <Badge tone="good">nothing to repair</Badge>}
    </>
  );
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
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
