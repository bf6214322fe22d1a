import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { TestUser } from './test-users.js';

/** What the client of a sign-in wants. */
export interface SignInWish {
  /** The name or the id of the client. */
  readonly client: string;
  readonly redirect: string;
  readonly asked: readonly string[];
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --line: #767676; --soft: #595959; --page: #fff; --text: #1a1a1a; --blue: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --line: #8c8c8c; --soft: #b8b8b8; --page: #16181d; --text: #f2f2f2; --blue: #8ab4f8; } }
body { margin: 0; background: var(--page); color: var(--text); }
main { box-sizing: border-box; max-width: 34rem; margin: 0 auto; padding: 3rem 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
p { margin: 0 0 1rem; }
.soft { color: var(--soft); }
ul { list-style: none; margin: 1.5rem 0; padding: 0; display: grid; gap: .75rem; }
button { box-sizing: border-box; width: 100%; font: inherit; text-align: left; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: transparent; color: inherit; cursor: pointer; }
button:hover { border-color: var(--blue); }
button:focus-visible { outline: 3px solid var(--blue); outline-offset: 2px; }
button strong, button span { display: block; }
.plain { width: auto; border: 0; padding: .5rem 0; text-decoration: underline; }
code { font-size: .95em; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** The choice of a test user. Each user is a button, so that one key press signs in. */
export function signInPage({ client, redirect, asked }: SignInWish, users: readonly TestUser[]): string {
  const where = URL.canParse(redirect) ? new URL(redirect).host || redirect : redirect;
  const scopes = asked.length > 0 ? `asks for ${listed(asked)}` : 'asks for no scope';
  const choices = users.map((user) => {
    const granted = asked.filter((scope) => user.scopes.includes(scope));
    const told = granted.length > 0 ? `gets ${listed(granted)}` : 'gets no scope';
    return `<li><button name="user" value="${safe(user.subject)}"><strong>${safe(user.name ?? user.subject)}</strong><span class="soft">${safe(user.subject)} ${told}</span></button></li>`;
  });
  return page(
    'Sign in as a test user',
    `<h1>Sign in as a test user</h1>
<p><strong>${safe(client)}</strong> ${scopes}. It then goes on at <code>${safe(where)}</code>.</p>
<p class="soft">This is the issuer of development. It runs on this machine only, and its users do not exist. There is no password.</p>
<form method="post">
<ul>${choices.join('')}</ul>
<button class="plain" name="user" value="">Do not sign in</button>
</form>`,
  );
}

export function errorPage(error: string, description: string): string {
  return page(
    'Sign-in failed',
    `<h1>Sign-in failed</h1><p><code>${safe(error)}</code></p><p>${safe(description)}</p>`,
  );
}

/** Sends a page that loads nothing, runs nothing, and cannot be shown in a frame. */
export function sendPage(res: ServerResponse, status: number, html: string): void {
  res
    .writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      // No form-action: browsers apply it to the redirect that brings the code to the client, too.
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
    })
    .end(html);
}

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style></head><body><main>${body}</main></body></html>`;

const listed = (scopes: readonly string[]) => scopes.map((scope) => `<code>${safe(scope)}</code>`).join(', ');

const safe = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
