import { useDeferredValue, useState } from 'react';
import type { ProjectProblem } from '../../../../src/api/overview-api.js';
import { groupBy } from '../../data/group-by.js';
import { hrefOf } from '../../shell/route.js';
import { Badge, Chips, SearchField, SourceLink, type Tone, Button } from '../../ui/pieces.js';
import { wordsOf } from '../../ui/words.js';
import { advice } from './advice.js';

export const tones: Readonly<Record<ProjectProblem['severity'], Tone>> = {
  error: 'bad',
  warning: 'warn',
  info: 'info',
};
const order = Object.keys(tones) as ProjectProblem['severity'][];

/** As many places of one group as are drawn at first. */
const MOST_SHOWN = 50;

/** Problems by their rule, the worst first. Each group says why, and opens to its places. */
export function LintProblems({ problems }: { problems: readonly ProjectProblem[] }) {
  const [text, setText] = useState('');
  const [severity, setSeverity] = useState<ProjectProblem['severity']>();
  const words = wordsOf(useDeferredValue(text));
  const found = problems.filter((each) => (!severity || each.severity === severity) && fits(each, words));
  const present = order.filter((each) => problems.some((problem) => problem.severity === each));
  if (problems.length === 0) return <p className="faint">The linter finds nothing.</p>;
  return (
    <>
      <div className="row lint-search" role="search" aria-label="Filter the problems">
        <SearchField label="Search problems" placeholder="Tool, file or text" value={text} change={setText} />
        {present.length > 1 && (
          <Chips
            label="Severity"
            items={present}
            chosen={severity}
            choose={(each) => setSeverity(each === severity ? undefined : each)}
          >
            {(each) => each}
          </Chips>
        )}
        <span className="faint" role="status">
          {found.length.toLocaleString('en')} of {problems.length.toLocaleString('en')} problems
        </span>
      </div>
      <ul className="lint-groups" aria-label="Problems by rule">
        {groupsOf(found).map(([code, group]) => (
          <li key={code}>
            <Group code={code} problems={group} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Group({ code, problems }: { code: string; problems: readonly ProjectProblem[] }) {
  const [most, setMost] = useState(MOST_SHOWN);
  const { severity } = problems[0]!;
  return (
    <details className="lint-group">
      <summary>
        <Badge tone={tones[severity]}>{severity}</Badge> <strong>{code}</strong>{' '}
        <span className="faint">{problems.length.toLocaleString('en')}</span>
        {advice[code] !== undefined && <span className="lint-advice">{advice[code]}</span>}
      </summary>
      <ul className="lint-places">
        {problems.slice(0, most).map(({ message, tool, location }, index) => (
          <li key={index}>
            <span className="row">
              {tool !== undefined && <a href={hrefOf('tools', 'tool', tool)}>{tool}</a>}
              {location !== undefined && <SourceLink location={location} />}
            </span>
            <p className="problem-text">{message}</p>
          </li>
        ))}
      </ul>
      {problems.length > most && (
        <Button look="small" onClick={() => setMost(most + 500)}>
          Show {Math.min(500, problems.length - most)} more
        </Button>
      )}
    </details>
  );
}

function fits(
  { code, message, tool = '', location = '' }: ProjectProblem,
  words: readonly string[],
): boolean {
  if (words.length === 0) return true;
  const text = `${code} ${message} ${tool} ${location}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The worst rules first, and of those the most frequent. */
function groupsOf(problems: readonly ProjectProblem[]): [code: string, problems: ProjectProblem[]][] {
  const rank = (group: readonly ProjectProblem[]) => order.indexOf(group[0]!.severity);
  return [...groupBy(problems, ({ code }) => code)].sort(
    ([, a], [, b]) => rank(a) - rank(b) || b.length - a.length,
  );
}
