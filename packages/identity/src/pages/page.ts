import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isBlank, replaceUnshown, showHidden, showHiddenInLine, writeHidden } from '@toolwright/json';

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --line: #767676; --soft: #595959; --page: #fff; --text: #1a1a1a; --blue: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --line: #8c8c8c; --soft: #b8b8b8; --page: #16181d; --text: #f2f2f2; --blue: #8ab4f8; } }
body { margin: 0; background: var(--page); color: var(--text); }
main { box-sizing: border-box; max-width: 34rem; margin: 0 auto; padding: 3rem 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.1rem; line-height: 1.25; margin: 1rem 0 .5rem; }
a { color: var(--blue); }
p { margin: 0 0 1rem; }
.soft { color: var(--soft); }
ul { list-style: none; margin: 1.5rem 0; padding: 0; display: grid; gap: .75rem; }
dl { margin: 1.5rem 0; }
dt { color: var(--soft); }
dd { margin: 0 0 .75rem; }
pre { margin: 0; white-space: pre-wrap; font: .95em/1.5 ui-monospace, monospace; }
form + form { margin-top: .75rem; }
button { box-sizing: border-box; width: 100%; font: inherit; text-align: left; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: transparent; color: inherit; cursor: pointer; }
button + button { margin-top: .75rem; }
button:hover { border-color: var(--blue); }
button:focus-visible { outline: 3px solid var(--blue); outline-offset: 2px; }
button strong, button span { display: block; }
.plain { width: auto; border: 0; padding: .5rem 0; text-decoration: underline; }
code { font-size: .95em; }
`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const styleHash = hashOf(style);

/** What a page may do beyond showing itself. */
export interface PageRights {
  /** Where its forms may go. Default: anywhere, because browsers apply the rule to redirects after the form, too. */
  readonly formAction?: "'self'";
  /** The one script that may run. */
  readonly script?: string;
}

/** Sends a page that loads nothing, runs nothing but its own script, and cannot be shown in a frame. */
export function sendPage(res: ServerResponse, status: number, html: string, rights: PageRights = {}): void {
  const { formAction, script } = rights;
  const policy = [
    "default-src 'none'",
    `style-src ${styleHash}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"]),
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
    .end(html);
}

/** A whole page. @param body HTML; what comes from outside must have passed `safe` */
export const page = (title: string, body: string, script = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${safe(title)}</title><style>${style}</style></head><body><main>${body}</main>${script && `<script>${script}</script>`}</body></html>`;

/** Text as HTML that shows it, hidden characters included: programs choose their own names. */
export const safe = (text: string): string => attribute(showHidden(text));

/** Text as the value of an attribute. Nobody reads it, and a form or a link sends exactly this text back. */
export const attribute = (text: string): string =>
  text.replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`);

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
