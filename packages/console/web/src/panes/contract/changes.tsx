import type { ContractChange } from '../../../../src/api/project-api.js';
import { hrefOf } from '../../shell/route.js';
import { Badge, type Tone } from '../../ui/badge.js';

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
export function Changes({ changes, lockFile }: Props) {
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
        {sorted.map(({ tool, kind, message }, index) => (
          <li key={index}>
            <Badge tone={kinds[kind].tone} title={kinds[kind].title}>
              {kind}
            </Badge>
            <div>
              <a href={hrefOf('tools', 'tool', tool)}>{tool}</a>
              <p className="problem-text">{message}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
