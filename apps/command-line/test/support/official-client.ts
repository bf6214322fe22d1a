import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** The two eras of the protocol, as the official client is told to speak them. */
export const eras = { modern: { pin: '2026-07-28' }, legacy: 'legacy' } as const;

/** Where an app is: its URL, or the command that starts it. */
export type AppAddress = URL | { command: string; args: string[] };

/** Calls both tools of a new app with the official client. */
export async function takeNote(
  address: AppAddress,
  { era = 'modern', token }: { era?: keyof typeof eras; token?: string } = {},
): Promise<unknown> {
  const client = new Client({ name: 'newcomer', version: '1' }, { versionNegotiation: { mode: eras[era] } });
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(
    address instanceof URL
      ? new StreamableHTTPClientTransport(address, { requestInit: { headers } })
      : new StdioClientTransport({ ...address, stderr: 'inherit' }),
  );
  try {
    await client.callTool({ name: 'add_note', arguments: { text: 'Buy milk.' } });
    const { structuredContent } = await client.callTool({
      name: 'find_notes',
      arguments: { query: 'milk', limit: 1 },
    });
    return structuredContent;
  } finally {
    await client.close();
  }
}
