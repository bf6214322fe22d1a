/** Text that is HTML already. Everything else is escaped where `html` puts it. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | Html | undefined | readonly (string | Html | undefined)[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds HTML. A part that is no `Html` can stand in text and in quoted attributes; it never becomes markup. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.reduce((whole, text, index) => whole + write(parts[index - 1]) + text));
}

function write(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
  return part.map(write).join('');
}
