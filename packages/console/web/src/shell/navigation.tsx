import type { Pane } from './panes.js';
import { hrefOf } from './route.js';

export function Navigation({ panes, current }: { panes: readonly Pane[]; current: string | undefined }) {
  return (
    <nav className="navigation" aria-label="Panes">
      <a className="brand" href={hrefOf('tools')} aria-label="Toolwright console, tools">
        <img src="icon.svg" alt="" width={26} height={26} />
        <span>Toolwright</span>
      </a>
      <ul>
        {panes.map(({ id, title, hint, icon: Icon }, index) => (
          <li key={id}>
            <a href={hrefOf(id)} aria-current={id === current ? 'page' : undefined} title={hint}>
              <Icon size={17} aria-hidden />
              <span>{title}</span>
              {index < 9 && <kbd aria-hidden>{index + 1}</kbd>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
