import { readBody } from '@toolwright/json';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { sendPage } from '../pages/page.js';
import { errorPage, signInPage } from './pages.js';
import type { TestUser } from './test-users.js';

/** The form has two short fields. */
const LONGEST_FORM = 4_096;

/** Shows the page on which a person chooses a test user, and takes the choice. */
export function signInPages(provider: Provider, users: readonly TestUser[]) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    try {
      const details = await provider.interactionDetails(req, res);
      const { client_id: id, redirect_uri: redirect, scope = '', resource } = details.params;
      if (req.method !== 'POST') {
        const client = await provider.Client.find(String(id));
        const asked = String(scope).split(' ').filter(Boolean);
        const wish = {
          clientId: String(id),
          clientName: client?.clientName,
          redirect: String(redirect),
          asked,
        };
        return sendPage(res, 200, signInPage(wish, users));
      }
      const chosen = new URLSearchParams(await readForm(req)).get('user');
      const user = users.find(({ subject }) => subject === chosen);
      if (!user) {
        const refused = { error: 'access_denied', error_description: 'The person did not sign in.' };
        return await provider.interactionFinished(req, res, refused, { mergeWithLastSubmission: false });
      }
      const grant = new provider.Grant({ accountId: user.subject, clientId: String(id) });
      fillGrant(grant, user, { scope: String(scope), resources: [resource].flat() });
      const result = { login: { accountId: user.subject }, consent: { grantId: await grant.save() } };
      await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
    } catch (error) {
      // Most often the page was left open for longer than an hour, or `dev` was started again.
      const { error_description: reason = 'Begin again in your client.' } = error as Record<string, string>;
      sendPage(res, 400, errorPage('this sign-in has ended', reason));
    }
  };
}

/** Grants what the user has of the requested scopes, and refuses the others, so that nobody asks for them again. */
function fillGrant(
  grant: InstanceType<Provider['Grant']>,
  user: TestUser,
  { scope, resources }: { scope: string; resources: unknown[] },
): void {
  grant.addOIDCScope(scope);
  const asked = scope.split(' ').filter(Boolean);
  const granted = asked.filter((each) => user.scopes.includes(each));
  const refused = asked.filter((each) => !user.scopes.includes(each));
  for (const resource of resources) {
    if (typeof resource !== 'string') continue;
    if (granted.length > 0) grant.addResourceScope(resource, granted.join(' '));
    if (refused.length > 0) grant.rejectResourceScope(resource, refused.join(' '));
  }
}

async function readForm(req: IncomingMessage): Promise<string> {
  const text = await readBody(req, LONGEST_FORM);
  if (!text) throw new Error('The form is too long.');
  return text.toString();
}
