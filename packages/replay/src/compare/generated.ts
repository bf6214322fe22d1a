/** A part of a text that is other in each run: an id, or a time. */
export interface GeneratedPart {
  readonly kind: 'id' | 'time';
  readonly text: string;
}

/**
 * Ids: UUID, ULID, an ObjectId or a UUID without its lines, cuid, and the reference of an internal error. Times: ISO 8601 with a time
 * of day, and those of HTTP headers. A date alone is not one of them: it is rather a birthday than a moment.
 */
const GENERATED =
  /(?<id>\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b|\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b|\b(?:[0-9a-f]{24}|[0-9a-f]{32})\b|\bc[0-9a-z]{24}\b|(?<=\bref )[0-9a-f]{10}\b)|(?<time>\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT\b)/g;

/** A longer text is compared as it is. */
const LONGEST = 1_000_000;

/** Cuts a text into what an author wrote and what a run made: `rest` has one more part than `made`. */
export function generatedIn(text: string): {
  readonly rest: readonly string[];
  readonly made: readonly GeneratedPart[];
} {
  if (text.length > LONGEST) return { rest: [text], made: [] };
  const rest: string[] = [];
  const made: GeneratedPart[] = [];
  let end = 0;
  for (const match of text.matchAll(GENERATED)) {
    rest.push(text.slice(end, match.index));
    made.push({ kind: match.groups!['id'] === undefined ? 'time' : 'id', text: match[0] });
    end = match.index + match[0].length;
  }
  return { rest: [...rest, text.slice(end)], made };
}

/** A text with other ids. */
export function replaceIds(text: string, replace: (id: string) => string): string {
  const { rest, made } = generatedIn(text);
  return rest.map((part, at) => part + (made[at] ? written(made[at], replace) : '')).join('');
}

const written = ({ kind, text }: GeneratedPart, replace: (id: string) => string) =>
  kind === 'id' ? replace(text) : text;

/** Whether a member of this name is an id, whatever its form. */
export function isIdName(name: string): boolean {
  return /^_?(?:id|uuid|guid)$|[a-z]I[dD]$|_id$/.test(name);
}
