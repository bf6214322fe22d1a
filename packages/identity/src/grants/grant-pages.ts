import type { ConfigurationError } from '@toolwright/core';
import { wrongOption } from '@toolwright/core/options';
import { endOf, type PageHandler, pathBelow, pathOf } from '../pages/question-page.js';
import { explain } from '../pages/page.js';
import type { GrantPage } from './grant-page.js';

/**
 * Serves the page of the servers that share one `oauthResourceServer`. Each server adds its page when it is attached to
 * an endpoint, which is before it gets a request.
 */
export function pagesOf(url: string | undefined, pages: readonly GrantPage[]): PageHandler {
  const path = url === undefined ? undefined : pathOf(new URL(url));
  return (req, res, next = endOf(res)) => {
    const below = path === undefined ? undefined : pathBelow(req, path);
    if (below === undefined) return next();
    const [page] = pages;
    if (!page) return explain(res, 503, 'The server starts', 'Open the address again in a moment.');
    void page.answer(req, res, below);
  };
}

export function missingPage(resource: string): ConfigurationError {
  return wrongOption(
    `oauthResourceServer: exchange[${JSON.stringify(resource)}]: a stored grant needs a page on which users sign in.`,
    'Set the option "grants", with the URL of the page and the client that signs users in.',
  );
}
