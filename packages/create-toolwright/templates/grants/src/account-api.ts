import type { IncomingMessage, ServerResponse } from 'node:http';
import { oauthResourceServer } from '@toolwright/http';
import { apiUrl } from './connections.js';

/**
 * An API to try `show_account` with: it says whose token it gets. It is there while `npm run dev` has an issuer on this machine.
 * Delete this file when you have an API.
 *
 * @returns what serves it; `undefined` if there is another API
 */
export function accountApi(env: NodeJS.ProcessEnv, issuer: string) {
  const url = apiUrl(env);
  if (!url || env['API_URL']) return undefined;
  const { pathname } = new URL(url);
  const oauth = oauthResourceServer({ resource: url, issuers: [issuer] });
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const checked = await oauth.authenticate(req);
    const user = 'principal' in checked ? checked.principal : undefined;
    res.writeHead(user ? 200 : 401, { 'content-type': 'application/json' });
    res.end(JSON.stringify(user ? { account: user.subject } : { error: 'Who are you?' }));
  };
  return (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => {
    if (req.url === pathname) answer(req, res).catch(next);
    else next();
  };
}
