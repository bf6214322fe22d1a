import { type PageContent, readUrl } from '@toolwright/json';
import { attribute, page, safe, safeName } from '../pages/page.js';
import type { TestUser } from './test-users.js';

/** What the client of a sign-in wants. */
export interface DevSignInWish {
  readonly clientId: string;
  readonly clientName: string | undefined;
  readonly redirect: string;
  readonly asked: readonly string[];
}

/** The choice of a test user. Each user is a button, so that one key press signs in. */
export function signInPage(
  { clientId, clientName, redirect, asked }: DevSignInWish,
  users: readonly TestUser[],
): PageContent {
  const where = readUrl(redirect)?.host || redirect;
  const scopes = asked.length > 0 ? `asks for ${listed(asked)}` : 'asks for no scope';
  const choices = users.map((user) => {
    const granted = asked.filter((scope) => user.scopes.includes(scope));
    const heard = granted.length > 0 ? `gets ${listed(granted)}` : 'gets no scope';
    return `<li><button name="user" value="${attribute(user.subject)}"><strong>${safe(user.name ?? user.subject)}</strong><span class="soft">${safe(user.subject)} ${heard}</span></button></li>`;
  });
  return page(
    'Sign in as a test user',
    `<h1>Sign in as a test user</h1>
<p><strong>${safeName(clientName, clientId)}</strong> ${scopes}. It then goes on at <code>${safe(where)}</code>.</p>
<p class="soft">This is the issuer of development. It runs on this machine only, and its users do not exist. There is no password.</p>
<form method="post">
<ul>${choices.join('')}</ul>
<button class="plain" name="user" value="">Do not sign in</button>
</form>`,
  );
}

export function errorPage(error: string, description: string): PageContent {
  return page(
    'Sign-in failed',
    `<h1>Sign-in failed</h1><p><code>${safe(error)}</code></p><p>${safe(description)}</p>`,
  );
}

const listed = (scopes: readonly string[]) => scopes.map((scope) => `<code>${safe(scope)}</code>`).join(', ');
