import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A real authorization server, with one client. */
export async function startIssuer() {
  const program = join(__dirname, '../../../../packages/http/test/support/authorization-server.mjs');
  const server = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface(server.stdout), 'line')) as [string];
  const tokenFor = async (resource: string, scope: string) => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope, resource });
    const authorization = `Basic ${Buffer.from('agent:secret-of-the-test').toString('base64')}`;
    const response = await fetch(`${url}/token`, { method: 'POST', headers: { authorization }, body });
    return ((await response.json()) as { access_token: string }).access_token;
  };
  const stop = async () => {
    server.stdin.end();
    await once(server, 'exit');
  };
  return { url, tokenFor, stop };
}
