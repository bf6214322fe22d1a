import { brand } from '../brand.js';

/** Markup that is safe to send. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | readonly Html[];

/** Builds HTML. Each value is shown as text, unless it is HTML itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings.map((text, index) => text + (index < parts.length ? written(parts[index]!) : '')).join(''),
  );
}

function written(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A whole page of the desk. */
export function page(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/desk.css" />
      </head>
      <body>
        <header>${brand.name}</header>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`.text;
}

/** In the list, only subjects break within words. Other columns are as wide as their words. */
export const style = `:root { color-scheme: light dark; --accent: light-dark(${brand.color}, color-mix(in srgb, ${brand.color} 40%, white)); font: 1rem/1.55 system-ui, sans-serif; }
body { margin: 0; border-top: 4px solid var(--accent); background: Canvas; color: CanvasText; }
header, main { max-width: 48rem; margin: 0 auto; padding: 1.25rem 1rem 0; overflow-wrap: anywhere; }
header { font-weight: 600; }
main { padding-bottom: 4rem; }
h1 { margin: 0 0 .75rem; font-size: 1.6rem; line-height: 1.2; }
a { color: var(--accent); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid #8886; }
th, td:not(:nth-child(2)) { overflow-wrap: normal; }
td a { white-space: nowrap; }
td:last-child { max-width: 6rem; padding-right: 0; overflow-wrap: break-word; }
article { border-left: 3px solid #8886; padding-left: 1rem; margin: 1rem 0; }
pre { white-space: pre-wrap; font: inherit; margin: 0; }
article p { margin: 0 0 .25rem; }
form { margin-top: 1.5rem; }
label { display: grid; gap: .25rem; }
button, textarea { box-sizing: border-box; border-radius: .5rem; color: inherit; font: inherit; }
textarea { width: 100%; border: 1px solid #888; padding: .5rem .75rem; background: transparent; resize: vertical; }
button { border: 1px solid var(--accent); padding: .5rem 1rem; background: transparent; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
