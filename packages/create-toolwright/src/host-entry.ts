import type { AppOptions } from './app-options.js';

/**
 * How a host such as VS Code starts or reaches the app. With both transports it is stdio, because that needs
 * no port.
 */
export function hostEntry(transport: AppOptions['transport']): object {
  if (transport === 'http') return { type: 'http', url: 'http://127.0.0.1:3000/mcp' };
  const args = ['${workspaceFolder}/dist/main.js', ...(transport === 'both' ? ['--stdio'] : [])];
  return { type: 'stdio', command: 'node', args };
}
