import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useOverview, useServer } from '../data/current.js';
import { follow } from '../data/live.js';
import { Empty } from '../ui/empty.js';
import { Notices } from '../ui/notices.js';
import { AppFailure } from './app-failure.js';
import { Navigation } from './navigation.js';
import { Palette } from './palette.js';
import { PaneBoundary } from './pane-boundary.js';
import { panes } from './panes.js';
import { useRoute } from './route.js';
import { useShortcuts } from './shortcuts.js';
import { useTheme } from './theme.js';
import { TopBar } from './top-bar.js';

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
  const allowed = panes.filter(({ access = 'read' }) => overview?.access.includes(access) ?? true);
  useShortcuts(allowed, () => setPalette(true));
  const pane = allowed.find((each) => each.id === id) ?? allowed[0];

  useEffect(() => {
    document.title = `${pane ? `${pane.title} · ` : ''}${server?.title ?? server?.name ?? 'Toolwright console'}`;
  }, [pane, server]);

  return (
    <div className="frame">
      <a className="skip" href="#pane" onClick={(event) => skip(event)}>
        Skip to the pane
      </a>
      <Navigation panes={allowed} current={pane?.id} />
      <TopBar isConnected={isConnected} openPalette={() => setPalette(true)} />
      <main id="pane" tabIndex={-1} className="pane" aria-label={pane?.title}>
        <h1 className="unseen">{pane?.title ?? 'Console'}</h1>
        {overview?.failure !== undefined && <AppFailure app={overview.app} reason={overview.failure} />}
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
  running: 'No server yet',
  restarting: 'The app is starting again',
  stopped: 'The app has stopped',
};

/** The address of a skip link would be taken for a pane. */
function skip(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById('pane')?.focus();
}
