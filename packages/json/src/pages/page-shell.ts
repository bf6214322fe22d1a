import { createHash } from 'node:crypto';
import { readUrl } from '../addresses/read-url.js';
import { contrastOf, ENOUGH_CONTRAST, legibleOn, readColor } from './colors.js';

/** How the pages of a server for people name and color themselves. */
export interface Brand {
  /** The name above each page, such as that of a company. Default: the title of the server. */
  readonly name?: string;
  /** The URL of a picture beside the name: `https:` or `data:image/…`. Default: none. */
  readonly logo?: string;
  /** The color of links and of buttons that say yes, such as `#0b57d0`. Its contrast with white must be 4.5 or more. */
  readonly color?: string;
}

const PAGES = { light: '#ffffff', dark: '#14171b' } as const;

/** Why a brand cannot have a color: nobody could read it. @returns undefined if it can be used */
export function problemOfColor(color: string): string | undefined {
  if (readColor(color) === undefined) return 'a color is written as "#0b57d0"';
  const contrast = contrastOf(color, PAGES.light);
  if (contrast >= ENOUGH_CONTRAST) return undefined;
  const darker = legibleOn(PAGES.light, color, '#000000');
  return `its contrast with white is ${contrast.toFixed(1)}, and text needs ${ENOUGH_CONTRAST}. "${darker}" is the nearest darker one`;
}

export const isLogo = (url: string): boolean =>
  /^(?:https:\/\/|data:image\/)/i.test(url) && readUrl(url) !== undefined;

/** Text as HTML, also in quoted attributes. A carriage return stays one, so that a form sends exactly this text back. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`);

/** What a page has beside its frame. All of it is HTML already: what comes from outside has been escaped. */
export interface PageContent {
  readonly title: string;
  readonly body: string;
  /** More elements of the head. */
  readonly head?: string;
  readonly script?: string;
}

/** The one frame and the one style of all pages that a server shows to people. */
export class PageShell {
  readonly #style: string;
  readonly #header: string;
  /** The sources of a Content-Security-Policy that let the style through, and the logo. */
  readonly styleSource: string;
  readonly imageSource: string | undefined;

  constructor({ name, logo, color }: Brand = {}) {
    this.#style = styleOf(color ?? '#0b57d0');
    this.styleSource = hashSource(this.#style);
    this.imageSource =
      logo === undefined ? undefined : logo.startsWith('data:') ? 'data:' : new URL(logo).origin;
    const image = logo === undefined ? '' : `<img src="${escapeHtml(logo)}" alt="">`;
    const title = name === undefined ? '' : `<p dir="auto">${escapeHtml(name)}</p>`;
    this.#header = image || title ? `<header class="brand">${image}${title}</header>` : '';
  }

  write({ title, body, head = '', script }: PageContent): string {
    const run = script === undefined ? '' : `<script>${script}</script>`;
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title>${head}<style>${this.#style}</style></head>
<body>${this.#header}<main>${body}</main>${run}</body></html>`;
  }
}

/** How a Content-Security-Policy names a text that may be a style or a script. */
export const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Yes and no differ in color, in filling and in their words, so nobody needs to tell colors apart. */
const styleOf = (color: string): string => `
:root{color-scheme:light dark;--text:#1b1f24;--page:${PAGES.light};--soft:#59636e;--box:#f3f5f7;--line:#d1d9e0;--edge:#767e87;--accent:${color};--on-accent:#ffffff;--danger:#b3261e}
@media (prefers-color-scheme:dark){:root{--text:#e6e9ed;--page:${PAGES.dark};--soft:#a3adb8;--box:#1e2329;--line:#39424d;--edge:#8c959f;--accent:${legibleOn(PAGES.dark, color, '#ffffff')};--on-accent:${PAGES.dark};--danger:#ff9b94}}
*{box-sizing:border-box}
body{margin:0;border-top:4px solid var(--accent);background:var(--page);color:var(--text);font:1rem/1.55 system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.brand,main{max-width:42rem;margin:0 auto;padding:2rem 1.25rem 0}
.brand{display:flex;gap:.75rem;align-items:center;padding-top:1.25rem}
.brand img{width:2rem;height:2rem;object-fit:contain}
.brand p{margin:0;font-weight:600}
main{padding-bottom:4rem}
main>header{display:flex;gap:1rem;align-items:center}
main>header img{width:3.5rem;height:3.5rem;object-fit:contain}
h1{margin:0 0 .75rem;font-size:1.6rem;line-height:1.2}
h2{margin:2rem 0 .5rem;font-size:1.2rem;line-height:1.25}
h3{margin:0 0 .5rem;font-size:1.05rem}
p{margin:0 0 1rem}
a,summary{color:var(--accent)}
summary{cursor:pointer}
.soft{color:var(--soft)}
.box,li:has(form){margin:1rem 0;padding:1rem;border:1px solid var(--line);border-radius:.5rem}
.box>:last-child,.box h2{margin-bottom:0}
.box h2,li h2{margin:0 0 .5rem}
ul:has(button){list-style:none;margin:1.5rem 0;padding:0;display:grid;gap:.75rem}
ul:has(button)>li{margin:0}
dl{margin:1.5rem 0;padding:1rem;border-radius:.5rem;background:var(--box)}
dt{color:var(--soft)}
dd{margin:0 0 .75rem}
dd:last-child{margin-bottom:0}
dd ul{margin:0;padding-left:1.25rem}
pre{margin:0;white-space:pre-wrap;font:.95em/1.5 ui-monospace,monospace}
p+pre,details pre{margin:.5rem 0;padding:.75rem;border-radius:.375rem;background:var(--box)}
code{font:.9em/1.5 ui-monospace,monospace}
form{display:grid;gap:.75rem;margin:0 0 1rem}
li form{margin:0}
label{display:grid;gap:.25rem}
label input{padding:.6rem .75rem;border:1px solid var(--edge);border-radius:.5rem;background:transparent;color:inherit;font:inherit}
button{width:100%;padding:.75rem 1rem;border:1px solid var(--edge);border-radius:.5rem;background:transparent;color:inherit;font:inherit;text-align:left;cursor:pointer}
button strong,button span{display:block}
button:hover{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.yes,.yes .soft{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
.yes:hover{text-decoration:underline}
.no{border:2px solid var(--danger);color:var(--danger)}
.no:hover{border-color:var(--danger);box-shadow:inset 0 0 0 1px var(--danger)}
.plain{width:auto;justify-self:start;padding:.5rem 0;border:0;text-decoration:underline}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (forced-colors:active){.yes{border-width:4px}}
@media (min-width:34rem){.answers{grid-template-columns:1fr 1fr}.answers .plain{grid-column:1/-1}}
`;
