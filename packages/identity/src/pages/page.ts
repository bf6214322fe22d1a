import type { ServerResponse } from 'node:http';
import type { McpServer } from '@toolwright/core';
import {
  drainAfter,
  escapeHtml,
  hashSource,
  isBlank,
  type PageContent,
  PageShell,
  replaceUnshown,
  showHidden,
  showHiddenInLine,
  writeHidden,
} from '@toolwright/json';

/** How pages look that answer these requests. */
const shells = new WeakMap<ServerResponse, PageShell>();
const plain = new PageShell();

/** Begins the answer of a page: it looks like all others of its server, and leaves nothing of its request unread. */
export function dress(res: ServerResponse, shell: PageShell): void {
  shells.set(res, shell);
  drainAfter(res);
}

/** The pages of a server. Without a name of its own, they say the name of the server, so that people see who asks. */
export const shellOf = ({ brand, title, name }: McpServer['info']): PageShell =>
  new PageShell({ name: title ?? name, ...brand });

/** What a page may do beyond showing itself. */
export interface PageRights {
  /** Where its forms may go. Default: anywhere, because browsers apply the rule to redirects after the form, too. */
  readonly formAction?: "'self'";
}

/** Sends a page that loads nothing, runs nothing but its own script, and cannot be shown in a frame. */
export function sendPage(
  res: ServerResponse,
  status: number,
  content: PageContent,
  { formAction }: PageRights = {},
): void {
  const shell = shells.get(res) ?? plain;
  const { script } = content;
  const policy = [
    "default-src 'none'",
    `style-src ${shell.styleSource}`,
    ...(shell.imageSource === undefined ? [] : [`img-src ${shell.imageSource}`]),
    ...(script === undefined ? [] : [`script-src ${hashSource(script)}`, "connect-src 'self'"]),
    ...(formAction === undefined ? [] : [`form-action ${formAction}`]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  res
    .writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy.join('; '),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      // With no-referrer, browsers would send "Origin: null" with our own forms.
      'Referrer-Policy': 'same-origin',
    })
    .end(shell.write(content));
}

/** What a page says. @param body HTML; what comes from outside must have passed `safe` */
export const page = (title: string, body: string, script?: string): PageContent => ({
  title: safe(title),
  body,
  ...(script !== undefined && { script }),
});

/** Text as HTML that shows it, hidden characters included: programs choose their own names. */
export const safe = (text: string): string => attribute(showHidden(text));

/** Text as the value of an attribute. Nobody reads it, and a form or a link sends exactly this text back. */
export const attribute = escapeHtml;

/**
 * The name of a program as HTML of one line, or its id if nobody would see the name. Marks that are drawn over other text are
 * written out.
 */
export function safeName(name: string | undefined, id: string): string {
  const seen = name === undefined || isBlank(name) ? id : name;
  return attribute(showHiddenInLine(replaceUnshown(seen, writeHidden)));
}

/** Shows a page with one message. */
export function explain(res: ServerResponse, status: number, title: string, text: string): void {
  sendPage(res, status, page(title, `<h1>${safe(title)}</h1><p>${safe(text)}</p>`), { formAction: "'self'" });
}

/** Sends the person on, and does not tell the next server where they were. */
export function redirect(res: ServerResponse, to: URL | string): void {
  res
    .writeHead(303, { Location: String(to), 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    .end();
}
