import { useQueryClient } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense, useEffect, useState } from 'react';
import { showHiddenInLine } from '../../../../json/src/text/hidden-characters.js';
import { useOverview, useServer } from '../data/current.js';
import { follow } from '../data/live.js';
import { Notices } from '../ui/notices.js';
import { Empty, Button } from '../ui/pieces.js';
import { Navigation } from './navigation.js';
import { Palette } from './palette.js';
import { type Pane, panes } from './panes.js';
import { go, useRoute } from './route.js';
import { TopBar, useTheme } from './top-bar.js';
import { countTroubles, Troubles } from './troubles.js';

/** The frame: navigation on the left, the bar above, and one pane. */
export function App() {
  const queries = useQueryClient();
  const [isConnected, setConnected] = useState(true);
  const [hasPalette, setPalette] = useState(false);
  const { pane: id } = useRoute();
  const overview = useOverview();
  const [server] = useServer();
  useTheme();
  useEffect(() => follow(queries, setConnected), [queries]);
  const allowed = panes.filter(
    ({ access = 'read', needs }) =>
      (overview?.access.includes(access) ?? true) &&
      (needs === undefined || !overview || server?.[needs] === true),
  );
  const troubles = countTroubles(overview);
  useShortcuts(allowed, () => setPalette(true));
  const pane = allowed.find((each) => each.id === id) ?? allowed[0];

  useEffect(() => {
    const name = showHiddenInLine(server?.title ?? server?.name ?? 'Toolwright console');
    document.title = `${troubles > 0 ? `(${troubles}) ` : ''}${pane ? `${pane.title} · ` : ''}${name}`;
  }, [pane, server, troubles]);

  return (
    <div className="frame">
      <a className="skip" href="#pane" onClick={(event) => skip(event)}>
        Skip to the pane
      </a>
      <Navigation panes={allowed} current={pane?.id} troubles={troubles} />
      <TopBar isConnected={isConnected} openPalette={() => setPalette(true)} />
      <main id="pane" tabIndex={-1} className="pane" aria-label={pane?.title}>
        <h1 className="unseen">{pane?.title ?? 'Console'}</h1>
        {overview && <Troubles overview={overview} />}
        {overview && !server ? (
          <Empty title={appState[overview.app]}>
            The console shows the servers of your app as soon as it has created one with createMcpServer.
          </Empty>
        ) : (
          pane && (
            <PaneBoundary key={pane.id}>
              <Suspense fallback={<p className="loading">Loading…</p>}>
                <pane.Component />
              </Suspense>
            </PaneBoundary>
          )
        )}
      </main>
      <Palette isOpen={hasPalette} close={() => setPalette(false)} panes={allowed} />
      <Notices />
    </div>
  );
}

const appState = {
  starting: 'The app is starting',
  running: 'No server yet',
  restarting: 'The app is starting again',
  stopped: 'The app has stopped',
};

/** The address of a skip link would be taken for a pane. */
function skip(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById('pane')?.focus();
}

/** Keeps the frame alive when a pane fails. */
class PaneBoundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Empty title="This pane has failed">
        <code>{error.message}</code>
        <Button onClick={() => this.setState({ error: undefined as never })}>Try again</Button>
      </Empty>
    );
  }
}

/** Ctrl or Cmd with K opens the palette, a digit opens a pane, and a slash goes to the search of the pane. */
function useShortcuts(panes: readonly Pane[], openPalette: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, code, ctrlKey, metaKey } = event;
      if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') {
        event.preventDefault();
        return openPalette();
      }
      if (ctrlKey || metaKey || isTyping(event.target)) return;
      // With Alt, which shows the digits, a key writes something else on some keyboards.
      const [digit] = /(?<=^Digit)[1-9]$/.exec(code) ?? /^[1-9]$/.exec(key) ?? [];
      const pane = digit === undefined ? undefined : panes[Number(digit) - 1];
      if (pane && !event.shiftKey) {
        event.preventDefault();
        go(pane.id);
      }
      if (key === '/') {
        const search = document.querySelector<HTMLElement>('[data-search]');
        if (search) event.preventDefault();
        search?.focus();
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [panes, openPalette]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
