import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@toolwright/core/ports';
import { attribute, explain, page, safe, sendPage } from './page.js';
import { type PageSession, signedInAs } from './sign-in.js';

/** Serves pages, and hands every other request on. */
export type PageHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** The path of pages, without a slash at its end. */
export const pathOf = ({ pathname }: URL): string => pathname.replace(/\/$/, '');

/** Where a question is shown. */
export const addressOf = ({ href }: URL, id: string): string => `${href.replace(/\/$/, '')}/${id}`;

/** What a request asks for below a path, wherever the handler is mounted. @returns `undefined` when it is elsewhere */
export function pathBelow(req: IncomingMessage, path: string): string | undefined {
  const { originalUrl = req.url ?? '' } = req as { originalUrl?: string; url?: string };
  const asked = originalUrl.replace(/[?#].*$/s, '');
  return asked === path || asked.startsWith(`${path}/`) ? asked.slice(path.length) : undefined;
}

/** Answers what no handler in front of it or behind it has answered. */
export const endOf = (res: ServerResponse) => () => void res.writeHead(404).end();

/** One line of what a question is about. */
export const row = (name: string, value: string): string =>
  `<dt>${safe(name)}</dt><dd><pre>${safe(value)}</pre></dd>`;

/** What a person reads while a store does not answer, or where a page fails. The log says why. */
export function showOutage(res: ServerResponse, logger: Logger, error: unknown): void {
  logger.error({ err: error }, 'A page for people failed');
  if (res.headersSent) return void res.destroy();
  explain(
    res,
    503,
    'The server cannot answer now',
    'It is not known whether what you decided was kept. Open the address again in a moment: it shows what counts.',
  );
}

export const showNothing = (res: ServerResponse): void =>
  explain(res, 404, 'There is nothing here', 'Open the whole address that your application shows.');

/** What a person reads who may not answer, with the way to sign in as somebody else. */
export function showToStranger(res: ServerResponse, { title, text, path, id, session }: StrangerPage): void {
  const body = `<h1>${safe(title)}</h1><p>${safe(text)}</p>
<p class="soft">${signedInAs(session)}</p>
<p><a href="${attribute(`${path}/${id}/sign-in`)}">Sign in again, or as somebody else</a></p>`;
  sendPage(res, 403, page(title, body), { formAction: "'self'" });
}

interface StrangerPage {
  readonly title: string;
  readonly text: string;
  readonly path: string;
  readonly id: string;
  readonly session: PageSession;
}
