import { isLoopback, type PageContent } from '@toolwright/json';
import { attribute, page, safe, safeName } from '../pages/page.js';

export interface WantedEndpoint {
  readonly resource: string;
  readonly scopes: readonly string[];
}

/** What a client wants, as the person sees it. */
export interface ConsentWish {
  readonly clientId: string;
  /** The name that the client gives itself. */
  readonly clientName: string | undefined;
  /** How the proxy knows the client. */
  readonly origin: 'document' | 'registered' | 'known';
  readonly redirect: string;
  /** Each endpoint that the client wants to use, with what it asks for there. */
  readonly endpoints: readonly WantedEndpoint[];
  /** Where the person signs in. */
  readonly upstream: string;
}

/**
 * The page on which a person lets a client in. It comes before the sign-in, for each sign-in: an issuer that remembers the
 * person would otherwise give any client a token without a question.
 */
export function consentPage(wish: ConsentWish, token: string): PageContent {
  const { clientName, clientId, redirect, endpoints, upstream } = wish;
  const names = endpoints.map(({ resource }) => `<code>${safe(resource)}</code>`);
  return page(
    'Let this application in?',
    `<h1>Let this application in?</h1>
<p><strong>${safeName(clientName, clientId)}</strong> wants to use ${names.join(' and ')} for you.</p>
<p class="soft">${originOf(wish)}</p>
<dl>
<dt>It goes on at</dt><dd><code>${safe(placeOf(redirect))}</code></dd>
${endpoints.map((each) => rightsAt(each, endpoints.length > 1)).join('\n')}
</dl>
<form method="post" class="answers">
<input type="hidden" name="token" value="${attribute(token)}">
<button class="yes" name="decision" value="allow"><strong>Continue to the sign-in</strong><span class="soft">at ${safe(new URL(upstream).host)}</span></button>
<button class="no" name="decision" value="deny"><strong>Do not let it in</strong><span class="soft">Nothing is granted</span></button>
</form>`,
  );
}

/** What the client may do. Where it wants several endpoints, each is named again: the same word may mean more at another one. */
function rightsAt({ resource, scopes }: WantedEndpoint, isNamed: boolean): string {
  const place = isNamed ? `, at <code>${safe(resource)}</code>` : '';
  const items = scopes.map((scope) => `<li><code>${safe(scope)}</code></li>`).join('');
  return `<dt>It may then${place}</dt><dd>${items === '' ? 'use what needs no scope' : `<ul>${items}</ul>`}</dd>`;
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
