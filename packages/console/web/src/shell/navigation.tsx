import { useEffect, useState } from 'react';
import { useAsk } from '../data/ask.js';
import { useOverview, useServer, useSurface } from '../data/current.js';
import { groups, type Pane } from './panes.js';
import { go, hrefOf } from './route.js';

interface Props {
  readonly panes: readonly Pane[];
  readonly current: string | undefined;
  readonly troubles: number;
}

interface Section {
  readonly title: string;
  readonly panes: readonly Pane[];
}

/** The way from pane to pane: links in four groups, and on a narrow screen a list to choose from. */
export function Navigation({ panes, current, troubles }: Props) {
  const { sections, more } = useSections(panes);
  const isHeld = useHeldKey('Alt');
  const [isOpen, setOpen] = useState(false);
  const isInMore = more.some(({ id }) => id === current);
  const numbers = new Map(panes.slice(0, 9).map(({ id }, index) => [id, index + 1]));
  const links = (shown: readonly Pane[]) => (
    <ul>
      {shown.map(({ id, title, hint, icon: Icon }) => (
        <li key={id}>
          <a href={hrefOf(id)} aria-current={id === current ? 'page' : undefined} title={hint}>
            <Icon size={17} aria-hidden />
            <span>{title}</span>
            {id === 'contract' && troubles > 0 && (
              <span className="navigation-count">
                {troubles}
                <span className="unseen">{troubles === 1 ? ' error' : ' errors'}</span>
              </span>
            )}
            {isHeld && numbers.has(id) && <kbd aria-hidden>{numbers.get(id)}</kbd>}
          </a>
        </li>
      ))}
    </ul>
  );
  return (
    <nav className="navigation" aria-label="Panes">
      <a className="brand" href={hrefOf('tools')} aria-label="Toolwright console, tools">
        <img src="icon.svg" alt="" width={26} height={26} />
        <span>Toolwright</span>
      </a>
      <select
        className="navigation-choice"
        aria-label="Pane"
        value={current}
        onChange={({ target }) => go(target.value)}
      >
        {[...sections, { title: 'More', panes: more }].map(
          ({ title, panes: own }) =>
            own.length > 0 && (
              <optgroup key={title} label={title}>
                {own.map((pane) => (
                  <option key={pane.id} value={pane.id}>
                    {pane.title}
                  </option>
                ))}
              </optgroup>
            ),
        )}
      </select>
      <div className="navigation-groups">
        {sections.map(({ title, panes: own }) => (
          <section key={title} aria-label={title}>
            <p className="navigation-title">{title}</p>
            {links(own)}
          </section>
        ))}
        {more.length > 0 && (
          <details open={isOpen || isInMore} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
            <summary className="navigation-title">More</summary>
            {links(more)}
          </details>
        )}
      </div>
    </nav>
  );
}

/** The panes by group. What this server has nothing for is apart. */
function useSections(panes: readonly Pane[]): { sections: Section[]; more: readonly Pane[] } {
  const empty = useEmptyPanes();
  const full = panes.filter(({ id }) => !empty.has(id));
  const sections = Object.entries(groups).map(([group, title]) => ({
    title,
    panes: full.filter((pane) => pane.group === group),
  }));
  return {
    sections: sections.filter(({ panes: own }) => own.length > 0),
    more: panes.filter(({ id }) => empty.has(id)),
  };
}

/** The panes that would only say how to begin. */
function useEmptyPanes(): ReadonlySet<string> {
  const [server] = useServer();
  const hasProject = useOverview()?.access.includes('project') ?? false;
  const on = server && { server: server.id };
  const { data: state } = useAsk('state', on);
  const { data: known } = useAsk('keysAndGrants', on);
  const { data: evaluations } = useAsk('evaluations', hasProject ? {} : undefined);
  const { data: surface } = useSurface();
  const isEmpty = {
    mounts: state && !state.mounts?.length,
    skills: state && !state.skills?.length,
    keys: known && !known.keys && !known.grants,
    views: surface && !surface.operations.some(({ app }) => app !== undefined),
    evaluations: evaluations?.length === 0,
  };
  return new Set(Object.entries(isEmpty).flatMap(([id, is]) => (is ? [id] : [])));
}

/** Whether a key is held down now. */
function useHeldKey(wanted: string): boolean {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const down = ({ key }: KeyboardEvent) => key === wanted && setHeld(true);
    const up = () => setHeld(false);
    addEventListener('keydown', down);
    for (const event of ['keyup', 'blur']) addEventListener(event, up);
    return () => {
      removeEventListener('keydown', down);
      for (const event of ['keyup', 'blur']) removeEventListener(event, up);
    };
  }, [wanted]);
  return isHeld;
}
