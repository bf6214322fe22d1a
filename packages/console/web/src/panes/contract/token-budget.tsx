import { useState } from 'react';
import type { Contract } from '../../../../src/api/project-api.js';
import { hrefOf } from '../../shell/route.js';
import { Badge } from '../../ui/badge.js';

/** As many tools as a person compares at once. The rest is one click away. */
const MOST_SHOWN = 30;

/** How much of a model's context the tools take: in all, against the budget, and each of them. */
export function TokenBudget({ tokens: { total, budget, tools } }: { tokens: Contract['tokens'] }) {
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
      <ul className="token-list" aria-label="Tokens of each tool, the most first">
        {sorted.slice(0, isWhole ? undefined : MOST_SHOWN).map(({ name, tokens }) => (
          <li key={name}>
            <a href={hrefOf('tools', 'tool', name)}>{name}</a>
            <span className="number">{tokens.toLocaleString('en')}</span>
            <div className="token-bar" aria-hidden>
              <span style={{ width: `${(tokens / most) * 100}%` }} />
            </div>
          </li>
        ))}
      </ul>
      {sorted.length > MOST_SHOWN && !isWhole && (
        <button type="button" className="button" onClick={() => setWhole(true)}>
          Show {sorted.length - MOST_SHOWN} more
        </button>
      )}
    </>
  );
}
