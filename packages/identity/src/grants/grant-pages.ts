import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConfigurationError } from '@toolwright/core';
import { explain } from '../pages/page.js';
import type { GrantPage } from './grant-page.js';

/** Answers the requests of pages, and calls `next` for others. */
export type PageHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * Serves the page of the servers that share one `oauthResourceServer`. Each server adds its page when it is attached to
 * an endpoint, which is before it gets a request.
 */
export function pagesOf(url: string | undefined, pages: readonly GrantPage[]): PageHandler {
  const path = url === undefined ? undefined : new URL(url).pathname.replace(/\/$/, '');
  return (req, res, next = (error) => res.writeHead(error === undefined ? 404 : 500).end()) => {
    const { originalUrl = req.url ?? '' } = req as { originalUrl?: string; url?: string };
    const asked = originalUrl.replace(/[?#].*$/s, '');
    if (path === undefined || (asked !== path && !asked.startsWith(`${path}/`))) return next();
    const [page] = pages;
    if (!page) return explain(res, 503, 'The server starts', 'Open the address again in a moment.');
    page.answer(req, res, asked.slice(path.length)).catch((error: unknown) => next(error));
  };
}

export function missingPage(resource: string): ConfigurationError {
  return new ConfigurationError([
    {
      code: 'TW_OPTION_INVALID',
      message: `oauthResourceServer: exchange[${JSON.stringify(resource)}]: a stored grant needs a page on which users sign in.`,
      fix: 'Set the option "grants", with the URL of the page and the client that signs users in.',
    },
  ]);
}
