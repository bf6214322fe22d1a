import { showHiddenInLine } from '../text/hidden-characters.js';
import { showWords } from '../text/words-for-people.js';
import { isSchema, type JsonSchema, mapSchema } from './json-schema.js';

/**
 * The words of a form, as a person may see them who decides: titles, descriptions and the names of choices. They may have values of a
 * caller in them, as the words of the question. What the answer is matched with stays as it is.
 *
 * @param values what the words may repeat, at any depth
 */
export function showForm(schema: JsonSchema, values: unknown): JsonSchema {
  const line = (words: string) => showHiddenInLine(showWords(words, values));
  return writeForm(schema, { line, text: (words) => showWords(words, values) });
}

/** The same form with each line of its descriptions marked, where one has several. Other words have one line. */
export function quoteForm(schema: JsonSchema, quote: (words: string) => string): JsonSchema {
  return writeForm(schema, {
    line: (words) => words,
    text: (words) => (words.includes('\n') ? quote(words) : words),
  });
}

/** How the words are written that have one line, and the words that may have several. */
interface FormWriter {
  line(words: string): string;
  text(words: string): string;
}

/** It is the same object when nothing changes, because what is compiled of a form is kept for it. */
function writeForm(schema: JsonSchema, { line, text }: FormWriter): JsonSchema {
  let isSame = true;
  const noting = (write: (words: string) => string) => (words: string) => {
    const written = write(words);
    if (written !== words) isSame = false;
    return written;
  };
  const written = writePart(schema, { line: noting(line), text: noting(text) });
  return isSame ? schema : written;
}

function writePart(schema: JsonSchema, write: FormWriter): JsonSchema {
  const { title, description, const: value, enum: values, enumNames } = schema as Words;
  const part = mapSchema(schema, (inner) => writePart(inner, write)) as Words;
  // A choice without a name is shown as it is, and so is a property without a title.
  if (Array.isArray(values)) part.enumNames = namesOf(values, enumNames, write);
  if (part.enumNames === undefined) delete part.enumNames;
  const shown = titleOf(title, value, write);
  if (shown !== undefined) part.title = shown;
  if (typeof description === 'string') part.description = write.text(description);
  for (const [name, inner] of Object.entries(part.properties ?? {}))
    if (isSchema(inner) && (inner as Words).title === undefined) {
      const nameShown = titleOf(undefined, name, write);
      if (nameShown !== undefined) (inner as Words).title = nameShown;
    }
  return part as JsonSchema;
}

/** What takes the place of a title; `undefined` where there is none, and none is needed. */
function titleOf(title: unknown, shownInstead: unknown, { line }: FormWriter): string | undefined {
  if (typeof title === 'string') return line(title);
  if (title !== undefined || typeof shownInstead !== 'string') return undefined;
  const shown = line(shownInstead);
  return shown === shownInstead ? undefined : shown;
}

/** The names of choices; `undefined` where there are none, and none are needed. */
function namesOf(values: readonly unknown[], names: unknown, { line }: FormWriter): unknown[] | undefined {
  const write = (name: unknown) => (typeof name === 'string' ? line(name) : name);
  if (Array.isArray(names)) return names.map(write);
  const shown = values.map(write);
  return shown.some((name, at) => name !== values[at]) ? shown.map(String) : undefined;
}

/** What a person sees of a part of a form, and the values that are shown where a name is missing. */
interface Words {
  title?: unknown;
  description?: unknown;
  const?: unknown;
  enum?: unknown;
  enumNames?: unknown;
  properties?: Readonly<Record<string, unknown>>;
}
