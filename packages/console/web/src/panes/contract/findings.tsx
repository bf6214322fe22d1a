import { useDeferredValue, useState } from 'react';
import type { ProjectProblem } from '../../../../src/api/overview-api.js';
import { hrefOf } from '../../shell/route.js';
import { Badge, Chips, SearchField, SourceLink, type Tone } from '../../ui/pieces.js';
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

/** Findings by their rule, the worst first. Each group says why, and opens to its places. */
export function Findings({ findings }: { findings: readonly ProjectProblem[] }) {
  const [text, setText] = useState('');
  const [severity, setSeverity] = useState<ProjectProblem['severity']>();
  const words = wordsOf(useDeferredValue(text));
  const found = findings.filter((each) => (!severity || each.severity === severity) && fits(each, words));
  const present = order.filter((each) => findings.some((finding) => finding.severity === each));
  if (findings.length === 0) return <p className="faint">The linter finds nothing.</p>;
  return (
    <>
      <div className="row finding-search" role="search" aria-label="Filter the findings">
        <SearchField label="Search findings" placeholder="Tool, file or text" value={text} change={setText} />
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
          {found.length.toLocaleString('en')} of {findings.length.toLocaleString('en')} findings
        </span>
      </div>
      <ul className="finding-groups" aria-label="Findings by rule">
        {groupsOf(found).map(([code, group]) => (
          <li key={code}>
            <Group code={code} findings={group} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Group({ code, findings }: { code: string; findings: readonly ProjectProblem[] }) {
  const [most, setMost] = useState(MOST_SHOWN);
  const { severity } = findings[0]!;
  return (
    <details className="finding-group">
      <summary>
        <Badge tone={tones[severity]}>{severity}</Badge> <strong>{code}</strong>{' '}
        <span className="faint">{findings.length.toLocaleString('en')}</span>
        {advice[code] !== undefined && <span className="finding-advice">{advice[code]}</span>}
      </summary>
      <ul className="finding-places">
        {findings.slice(0, most).map(({ message, tool, location }, index) => (
          <li key={index}>
            <span className="row">
              {tool !== undefined && <a href={hrefOf('tools', 'tool', tool)}>{tool}</a>}
              {location !== undefined && <SourceLink location={location} />}
            </span>
            <p className="problem-text">{message}</p>
          </li>
        ))}
      </ul>
      {findings.length > most && (
        <button type="button" className="button small" onClick={() => setMost(most + 500)}>
          Show {Math.min(500, findings.length - most)} more
        </button>
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
function groupsOf(findings: readonly ProjectProblem[]): [code: string, findings: ProjectProblem[]][] {
  const groups = new Map<string, ProjectProblem[]>();
  for (const finding of findings) {
    const key = finding.code;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  const rank = (group: readonly ProjectProblem[]) => order.indexOf(group[0]!.severity);
  return [...groups].sort(([, a], [, b]) => rank(a) - rank(b) || b.length - a.length);
}
