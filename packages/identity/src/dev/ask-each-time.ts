import type { Provider } from 'oidc-provider';
import type { OidcProvider } from './load-provider.js';

/**
 * The prompts of an authorization server that asks a person at each sign-in: a request gets a code only by the answer that
 * the person has just given to it. oidc-provider decides this where it has read the request. Whoever looks at a path, a
 * method or a cookie before that may read it in another way: the router of oidc-provider folds letter case, for example.
 */
export function promptsOfEachSignIn({ interactionPolicy: { base, Check } }: OidcProvider) {
  const prompts = base();
  const isUnanswered = new Check(
    'each_sign_in_is_asked',
    'a person answers each request',
    'login_required',
    ({ oidc }) => oidc.result?.login === undefined,
  );
  prompts.get('login')!.checks.add(isUnanswered);
  return prompts;
}

/**
 * Nobody stays signed in at the authorization server. A browser that brings the cookie of an earlier sign-in is one without
 * a session, whatever it asks for, so that the person can choose another user.
 */
export function forgetSessions({ Session }: Provider): void {
  Session.find = () => Promise.resolve(undefined);
}
