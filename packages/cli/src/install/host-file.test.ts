import { findHost } from '@toolwright/hosts';
import { type Machine, hostPath } from './find-hosts.js';

const mac: Machine = { platform: 'darwin', home: '/Users/ada', env: { XDG_CONFIG_HOME: '/elsewhere' } };
const windows: Machine = {
  platform: 'win32',
  home: 'C:\\Users\\Ada',
  env: { APPDATA: 'D:\\Roaming' },
};
const linux: Machine = { platform: 'linux', home: '/home/ada', env: {} };
const pathOn = (id: string, machine: Machine) => hostPath(findHost(id)!.file!, machine).path;

test.each([
  [
    'claude-desktop',
    '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
    'D:\\Roaming\\Claude\\claude_desktop_config.json',
    '/home/ada/.config/Claude/claude_desktop_config.json',
  ],
  ['claude-code', '/Users/ada/.claude.json', 'C:\\Users\\Ada\\.claude.json', '/home/ada/.claude.json'],
  [
    'vscode',
    '/Users/ada/Library/Application Support/Code/User/mcp.json',
    'D:\\Roaming\\Code\\User\\mcp.json',
    '/home/ada/.config/Code/User/mcp.json',
  ],
  [
    'cursor',
    '/Users/ada/.cursor/mcp.json',
    'C:\\Users\\Ada\\.cursor\\mcp.json',
    '/home/ada/.cursor/mcp.json',
  ],
  [
    'windsurf',
    '/Users/ada/.codeium/windsurf/mcp_config.json',
    'C:\\Users\\Ada\\.codeium\\windsurf\\mcp_config.json',
    '/home/ada/.codeium/windsurf/mcp_config.json',
  ],
  [
    'codex',
    '/Users/ada/.codex/config.toml',
    'C:\\Users\\Ada\\.codex\\config.toml',
    '/home/ada/.codex/config.toml',
  ],
  [
    'gemini',
    '/Users/ada/.gemini/settings.json',
    'C:\\Users\\Ada\\.gemini\\settings.json',
    '/home/ada/.gemini/settings.json',
  ],
  [
    'zed',
    '/Users/ada/.config/zed/settings.json',
    'D:\\Roaming\\Zed\\settings.json',
    '/home/ada/.config/zed/settings.json',
  ],
])('the file of %s on macOS, Windows and Linux', (id, ...paths) => {
  expect([mac, windows, linux].map((machine) => pathOn(id, machine))).toEqual(paths);
});

test('variables that name another folder count', () => {
  const moved = {
    ...linux,
    env: { XDG_CONFIG_HOME: '/cfg', CODEX_HOME: '/codex', CLAUDE_CONFIG_DIR: '/claude' },
  };
  expect(pathOn('zed', moved)).toBe('/cfg/zed/settings.json');
  expect(pathOn('vscode', moved)).toBe('/cfg/Code/User/mcp.json');
  expect(pathOn('codex', moved)).toBe('/codex/config.toml');
  expect(pathOn('claude-code', moved)).toBe('/claude/.claude.json');
  expect(pathOn('cursor', moved)).toBe('/home/ada/.cursor/mcp.json');
  expect(pathOn('zed', { ...windows, env: {} })).toBe('C:\\Users\\Ada\\AppData\\Roaming\\Zed\\settings.json');
});
