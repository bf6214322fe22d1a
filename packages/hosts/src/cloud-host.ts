import { type HostServer, type HostSetup, isRemote } from './host.js';

/**
 * The setup of a host whose company's servers connect to the MCP server, from outside of the person's network.
 *
 * @param company whose servers connect
 * @param steps what a person does; gets the URL to paste
 */
export function cloudSetup(
  server: HostServer,
  { title, company }: { title: string; company: string },
  steps: (url: string) => readonly string[],
): HostSetup {
  if (!isRemote(server)) return { problem: `${title} starts no programs. Serve this one over HTTP.` };
  if (Object.keys(server.headers ?? {}).length > 0)
    return { problem: `${title} sends no headers that you choose. It signs in with OAuth.` };
  if (!isPublic(server.url))
    return { problem: `${title} connects from the servers of ${company}, so it needs a public https URL.` };
  return { steps: steps(server.url) };
}

/** False for names and addresses that only one machine or one network knows. */
function isPublic(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'https:' || hostname.startsWith('[')) return protocol === 'https:' && !isLocal6(hostname);
  if (/^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(hostname)) return false;
  return hostname.includes('.') && !/\.(?:local|localhost|internal|home\.arpa|lan)$/.test(hostname);
}

function isLocal6(hostname: string): boolean {
  return /^\[(?:::1?\]|f[cd]|fe[89ab]|::ffff:)/.test(hostname);
}

/** Claude Desktop and claude.ai share the connectors of an account. */
export function connectorSteps(app: string): (url: string) => readonly string[] {
  return (url) => [
    `In ${app}, open Settings, then Connectors, and choose Add custom connector.`,
    `Paste this URL: ${url}`,
    'Choose Add, then Connect. Sign in if the server asks for it.',
  ];
}
