import { BUDGET } from '../budget.js';
import { cutText, type ListKind, type Poison, showHidden } from '@toolwright/json';
import { hiddenIn } from './hidden-text.js';
import { Turns } from '../turns.js';
import type { UpstreamCatalogue } from '../read-catalogue.js';

/** A description that commands something about a tool that its own server does not have. */
export interface Mention extends Poison {
  /** What may be the name of a tool of somebody else. */
  readonly tool: string;
}

export interface Findings {
  readonly found: readonly Poison[];
  /** They are poison as soon as somebody else has a tool of this name. */
  readonly mentions: readonly Mention[];
}

const SECRETS = String.raw`(?:api[ _-]?keys?|passwords?|credentials?|secrets?|tokens?|private keys?)`;

/**
 * What descriptions of honest tools do not say. A match is a reason to read the description, and no proof. The rules are
 * measured with servers of npm and with thousands of operations of APIs: at most one honest description in a hundred may
 * be flagged, or people stop reading.
 */
const SIGNS: readonly RegExp[] = [
  // Documentation in HTML has an element of this name, and a paragraph in it.
  /<\s*(?:important|system|instructions?|secret|hidden)\b[^<>]{0,200}>(?!\s*<(?:p|ul|ol|note)\b)/iu,
  /\b(?:ignore|disregard|forget|override)\b.{0,20}\b(?:previous|prior|above|earlier|other|system|all)\b.{0,20}\b(?:instructions?|prompts?|rules?|messages?|tools?)\b/iu,
  /\b(?:do not|don't|never|without)\b.{0,20}\b(?:tell|mention|inform|reveal|notify|telling|mentioning|informing|notifying)\b.{0,40}\b(?:users?|humans?|persons?|people|anyone|them)\b/iu,
  /\b(?:before|after|instead of|whenever|when)\b.{0,20}\b(?:using|calling|invoking|use|call|invoke)\b.{0,20}\b(?:any|every|other|another|all)\b.{0,12}\btools?\b/iu,
  /\b(?:read|send|include|pass|attach|forward|copy|upload|reading)\b.{0,60}(?:\.ssh\b|\bid_rsa\b|\bid_ed25519\b|\/etc\/(?:passwd|shadow)\b|\.env\b|\bmcp\.json\b|\.aws\/|\.npmrc\b|\.bash_history\b|\bsystem prompt\b)/iu,
  new RegExp(
    String.raw`\b(?:read|send|include|pass|attach|forward|copy|upload)\b.{0,40}\b(?:the user'?s|users'|all|any|every|stored|saved|other|environment)\b.{0,20}\b${SECRETS}\b`,
    'iu',
  ),
  /\b(?:send|include|pass|attach|forward|copy|upload|append)\b.{0,40}\b(?:(?:whole|entire|full|complete) (?:conversation|chat|context|history)|(?:conversation|chat) history|all (?:previous|prior|earlier) messages)\b/iu,
];

/** "Do not include any passwords" is good advice. */
const NEGATED = /\b(?:do not|don't|not|never|avoid|without)\s+(?:\w+\s+)?$/iu;

/** Names of arguments that ask for a file of the user. */
const ASKING_NAME = /(?:id_rsa|id_ed25519|etc_passwd|(?:from|of)_reading|mcp_json)/iu;

const COMMANDS = /\b(?:always|must|never|first|instead|whenever|make sure)\b/iu;

/** What looks like the name of a tool: `send_mail`, `send-mail`, `mail.send` or `sendMail`. */
const NAME = /^(?:[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)+|[a-z]+[0-9]*[A-Z][A-Za-z0-9]*)$/u;
/** Each character is read once, however long a word is. */
const NAME_CHARACTERS = /[A-Za-z0-9_.-]+/gu;
const LONGEST_NAME = 128;

/** A text is read in pieces, so that no text holds the event loop. They overlap by more than a rule can span. */
const PIECE = 4_000;
const OVERLAP = 400;
const MOST_MENTIONS = BUDGET.mentions;

/** Finds descriptions, in schemas too, that speak to the model about something else than their own tool. */
export async function findPoison({
  tools,
  prompts,
  resources,
  resourceTemplates,
}: UpstreamCatalogue): Promise<Findings> {
  const turns = new Turns();
  const own = new Set(tools.map(({ name }) => name as string));
  const found: Poison[] = [];
  const mentions: Mention[] = [];
  const look = async (kind: ListKind, all: readonly Readonly<Record<string, unknown>>[], address: string) => {
    for (const definition of all) {
      const name = showHidden(cutText(definition[address] as string, 200));
      let words: string | undefined;
      const mine: Mention[] = [];
      for (const [text, isPiece] of textsIn(definition)) {
        await turns.rest();
        words = isPiece ? signIn(text) : (hiddenWords(text) ?? askingName(text));
        if (words !== undefined) break;
        if (!isPiece || mentions.length + mine.length >= MOST_MENTIONS) continue;
        for (const tool of mentionsIn(text, own))
          mine.push({ kind, name, words: `${COMMANDS.exec(text)![0]} … ${tool}`, tool });
      }
      if (words === undefined) mentions.push(...mine.slice(0, MOST_MENTIONS - mentions.length));
      else found.push({ kind, name, words });
    }
  };
  await look('tool', tools, 'name');
  await look('prompt', prompts, 'name');
  await look('resource', resources, 'uri');
  await look('resourceTemplate', resourceTemplates, 'uriTemplate');
  return { found, mentions };
}

/** The texts of a definition: each whole, and in pieces. The names of its members are whole alone. */
function* textsIn(value: unknown): Generator<readonly [text: string, isPiece: boolean]> {
  if (typeof value === 'string') {
    if (hiddenWords(value) !== undefined) yield [value, false];
    for (let at = 0; at === 0 || at < value.length - OVERLAP; at += PIECE - OVERLAP)
      yield [value.slice(at, at + PIECE), true];
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (!Array.isArray(value)) yield [key, false];
    yield* textsIn(part);
  }
}

function hiddenWords(text: string): string | undefined {
  const hidden = hiddenIn(text);
  return hidden === undefined ? undefined : cutText(hidden, 400);
}

function askingName(name: string): string | undefined {
  return ASKING_NAME.test(name) ? cutText(name, 200) : undefined;
}

function signIn(piece: string): string | undefined {
  const text = piece.replace(/\s+/gu, ' ');
  for (const sign of SIGNS) {
    const match = sign.exec(text);
    if (match && !NEGATED.test(text.slice(Math.max(0, match.index - 30), match.index)))
      return cutText(match[0], 200);
  }
  return undefined;
}

/** A server speaks of its own tools all the time. It has no reason to command what happens with those of others. */
function mentionsIn(text: string, own: ReadonlySet<string>): Set<string> {
  if (!COMMANDS.test(text)) return new Set();
  const words = text.match(NAME_CHARACTERS) ?? [];
  return new Set(
    words
      .filter(({ length }) => length <= LONGEST_NAME)
      .map((word) => word.replace(/^[_.-]{1,8}|[_.-]{1,8}$/gu, ''))
      .filter((name) => NAME.test(name) && !own.has(name)),
  );
}
