import type { Elicitation } from '@toolwright/client';
import type { ElicitResult } from '@toolwright/core';
import { isBeyondSafe, isSensitive, type JsonSchema, LongInteger, readUrl } from '@toolwright/json';
import { type Terminal, cutToFit, inLine, visible, wrapText } from '@toolwright/operate/terminal';
import { readExact } from './exact-json.js';

/** Asks the person at the terminal a server's question, field by field. An empty answer uses the default. */
export async function askPerson(question: Elicitation, terminal: Asker): Promise<ElicitResult> {
  terminal.err('The server asks:');
  await showQuestion(question.message, terminal);
  if (question.mode === 'url') return askToOpen(question.url ?? '', terminal);
  const { properties = {}, required = [] } = (question.requestedSchema ?? {}) as JsonSchema;
  if (Object.keys(properties).length === 0) {
    return isYes(await terminal.ask('Go on? [y/N] '))
      ? { action: 'accept', content: {} }
      : { action: 'decline' };
  }
  const content = new Map<string, unknown>();
  for (const [name, schema] of Object.entries(properties)) {
    const prompt = await showLabel(labelOf(name, schema), terminal);
    const value = await askForField(prompt, schema, terminal);
    if (value !== undefined) content.set(name, value);
    else if (required.includes(name)) return { action: 'cancel' };
  }
  return { action: 'accept', content: Object.fromEntries(content) };
}

/**
 * The host is shown in the form that is looked up. So similar letters, or a user name before the host, cannot
 * deceive anybody.
 */
async function askToOpen(url: string, terminal: Asker): Promise<ElicitResult> {
  const { protocol, host, href } = readUrl(url) ?? { protocol: '', host: '', href: '' };
  if (protocol !== 'https:' && protocol !== 'http:') {
    terminal.err('The server wants you to open this address. It is not a web page, so the command declines:');
    await showQuestion(url, terminal);
    return { action: 'decline' };
  }
  terminal.err(`Open this page at ${host}:`);
  // Without a bar and without breaks, a person can copy it as a whole. The parsed form has no blanks that could pretend more.
  terminal.err(href);
  return { action: isYes(await terminal.ask('Done? [y/N] ')) ? 'accept' : 'decline' };
}

function labelOf(name: string, schema: JsonSchema): string {
  const choices = schema.type === 'boolean' ? 'y/n' : choicesOf(schema).join('/');
  const hints = [
    choices,
    schema.default === undefined || isSensitive(schema) ? '' : `default ${String(schema.default)}`,
  ].filter(Boolean);
  return `${schema.title ?? name}${hints.length > 0 ? ` (${hints.join(', ')})` : ''}`;
}

function choicesOf(schema: JsonSchema): unknown[] {
  if (typeof schema.items === 'object') return choicesOf(schema.items);
  return schema.enum ?? (schema.oneOf ?? schema.anyOf ?? []).map((option) => option.const);
}

/** Asks until the answer is one of the field's type. Undefined if there is no answer and no default. */
async function askForField(prompt: string, schema: JsonSchema, terminal: Asker): Promise<unknown> {
  for (;;) {
    const text = await terminal.ask(`${prompt}: `);
    if (text === '') return schema.default;
    if (schema.type === 'boolean') return isYes(text);
    if (schema.type === 'array') return text.split(',').map((item) => item.trim());
    const isWhole = schema.type === 'integer';
    if (!isWhole && schema.type !== 'number') return text;
    const value = readNumber(text);
    // All digits of an integer are sent: the server knows what it can hold.
    const isLong = value instanceof LongInteger && Number.isFinite(Number(String(value)));
    if (isWhole ? isLong || Number.isInteger(value) : Number.isFinite(value)) return value;
    const why = isLong ? ', and none has all of these digits' : '';
    terminal.err(`This takes ${isWhole ? 'a whole number' : `a number${why}`}.`);
  }
}

/** People also write numbers that JSON does not know, such as .5 or +5. Long ones must be JSON, which is read digit for digit. */
function readNumber(text: string): unknown {
  try {
    return readExact(text);
  } catch {
    const value = text.trim() === '' ? NaN : Number(text);
    return isBeyondSafe(value) ? NaN : value;
  }
}

const isYes = (text: string) => /^(y|yes|true)$/i.test(text.trim());

/** The parts of a terminal that a question needs. */
type Asker = Required<Pick<Terminal, 'ask' | 'err'>> & Pick<Terminal, 'rows' | 'columns'>;

/** Begins every line of a server's text, so that it cannot be confused with ours. */
const BAR = '│ ';

/** The longest label that leaves room for an answer. */
const LONGEST_LABEL = 60;

/**
 * Shows a server's text before the person answers, with a bar in front and page by page, so that all of it
 * can be read.
 */
export async function showQuestion(text: string, terminal: Asker): Promise<void> {
  const { rows = 24, columns = 80 } = terminal;
  const lines = wrapText(visible(text), Math.max(20, columns - BAR.length));
  const perPage = Math.max(5, rows - 4);
  for (let start = 0; start < lines.length; start += perPage) {
    const more = lines.length - start;
    if (start > 0) await terminal.ask(`The question has ${more} more lines. Press Enter to see more: `);
    for (const line of lines.slice(start, start + perPage)) terminal.err(`${BAR}${line}`.trimEnd());
  }
}

/** A label for a prompt of one line. If it has to be cut, it is first shown in full. */
export async function showLabel(label: string, terminal: Asker): Promise<string> {
  const short = cutToFit(inLine(label), LONGEST_LABEL);
  if (short.endsWith('…')) await showQuestion(label, terminal);
  return short;
}
