import { attribute, page, safe, safeName } from '../pages/page.js';
import { isLoopback } from '../loopback.js';

/** What a client wants, as the person sees it. */
export interface ConsentWish {
  readonly clientId: string;
  /** The name that the client gives itself. */
  readonly clientName: string | undefined;
  /** How the proxy knows the client. */
  readonly origin: 'document' | 'registered' | 'known';
  readonly redirect: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  /** Where the person signs in. */
  readonly upstream: string;
}

/**
 * The page on which a person lets a client in. It comes before the sign-in, for each sign-in: an issuer that remembers the
 * person would otherwise give any client a token without a question.
 */
export function consentPage(wish: ConsentWish, token: string): string {
  const { clientName, clientId, redirect, resource, scopes, upstream } = wish;
  const scopeItems = scopes.map((scope) => `<li><code>${safe(scope)}</code></li>`).join('');
  return page(
    'Let this application in?',
    `<h1>Let this application in?</h1>
<p><strong>${safeName(clientName, clientId)}</strong> wants to use <code>${safe(resource)}</code> for you.</p>
<p class="soft">${originOf(wish)}</p>
<dl>
<dt>It goes on at</dt><dd><code>${safe(placeOf(redirect))}</code></dd>
<dt>It may then</dt><dd>${scopeItems === '' ? 'use what needs no scope' : `<ul>${scopeItems}</ul>`}</dd>
</dl>
<form method="post">
<input type="hidden" name="token" value="${attribute(token)}">
<button name="decision" value="allow"><strong>Continue to the sign-in</strong><span class="soft">at ${safe(new URL(upstream).host)}</span></button>
<button class="plain" name="decision" value="deny">Do not let it in</button>
</form>`,
  );
}

function originOf({ origin, clientId, redirect }: ConsentWish): string {
  if (origin === 'known') return 'The operator of this server knows this application.';
  if (origin === 'document') return `This application is described by ${safe(new URL(clientId).host)}.`;
  const isLocal = isLoopback(new URL(redirect));
  return isLocal
    ? 'An application on this computer has registered itself. Nobody has checked its name: go on only if you have just started a sign-in there.'
    : 'This application has registered itself. Nobody has checked its name: look at the address where it goes on.';
}

const placeOf = (redirect: string) => {
  const { host, protocol } = new URL(redirect);
  return host === '' ? protocol : host;
};
