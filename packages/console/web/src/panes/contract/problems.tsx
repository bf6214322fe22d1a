import type { ProjectProblem } from '../../../../src/api/project-api.js';
import { hrefOf } from '../../shell/route.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { SourceLink } from '../../ui/source-link.js';

const tones: Readonly<Record<ProjectProblem['severity'], Tone>> = {
  error: 'bad',
  warning: 'warn',
  info: 'info',
};
const order = Object.keys(tones);

/** Problems, the worst first, each with its place in the source. */
export function Problems({ problems, none }: { problems: readonly ProjectProblem[]; none: string }) {
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
