import { Moon, Search, Sun, SunMoon } from 'lucide-react';
import { useEffect } from 'react';
import { Setting, useOverview, useServer, useSetting } from '../data/current.js';
import { Badge, Button } from '../ui/pieces.js';
import { commandKey } from '../ui/words.js';
import { TroubleCount } from './troubles.js';
import { IdentityPicker } from './identity-picker.js';

const themeIcons = { system: SunMoon, light: Sun, dark: Moon };

export function TopBar({ isConnected, openPalette }: { isConnected: boolean; openPalette: () => void }) {
  const overview = useOverview();
  const [server, choose] = useServer();
  const [theme, setTheme] = useTheme();
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  const Icon = themeIcons[theme];
  const servers = overview?.servers ?? [];
  return (
    <header className="top-bar">
      {servers.length > 1 ? (
        <select aria-label="Server" value={server?.id} onChange={({ target }) => choose(target.value)}>
          {servers.map(({ id, name, version }) => (
            <option key={id} value={id}>
              {name} {version}
            </option>
          ))}
        </select>
      ) : (
        <strong className="server-name">{server?.title ?? server?.name}</strong>
      )}
      {server && servers.length === 1 && <span className="faint">{server.version}</span>}
      <TroubleCount overview={overview} />
      {!isConnected && (
        <Badge tone="bad" title="The page tries again each second">
          reconnecting…
        </Badge>
      )}
      {isConnected && overview?.app !== 'running' && overview && <Badge tone="warn">{overview.app}</Badge>}
      <Button className="search-button" onClick={openPalette} aria-keyshortcuts="Control+K Meta+K">
        <Search size={15} aria-hidden />
        <span>Search or jump to…</span>
        <kbd aria-hidden>{commandKey('K')}</kbd>
      </Button>
      {overview?.access.includes('call') && <IdentityPicker />}
      <Button
        className="icon-button"
        onClick={() => setTheme(next)}
        aria-label={`Colours: ${theme}. Change to ${next}`}
        title={`Colours: ${theme}`}
      >
        <Icon size={17} aria-hidden />
      </Button>
    </header>
  );
}

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const setting = new Setting<Theme>('theme', 'system');

/** The colours that the person wants. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, set] = useSetting(setting);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return [theme, set];
}
