import { cloudSetup } from '../cloud-host.js';
import type { Host } from '../host.js';

const title = 'claude.ai';

export const claudeAi: Host = {
  id: 'claude-ai',
  title,
  source:
    'https://support.claude.com/en/articles/11175166-getting-started-with-custom-connectors-using-remote-mcp',
  setUp: (server) => cloudSetup(server, { title, company: 'Anthropic' }, connectorSteps(title)),
};

/** Claude Desktop and claude.ai share the connectors of an account. */
export function connectorSteps(app: string): (url: string) => readonly string[] {
  return (url) => [
    `In ${app}, open Settings, then Connectors, and choose Add custom connector.`,
    `Paste this URL: ${url}`,
    'Choose Add, then Connect. Sign in if the server asks for it.',
  ];
}
