import { cutText, showHidden } from '@toolwright/json';
import { hiddenIn } from './hidden-text.js';
import type { UpstreamCatalogue, ListKind } from '../read-catalogue.js';

/** Words in a description that address the model, and not the person who chooses a tool; or text that nobody sees. */
export interface Poison {
  readonly kind: ListKind;
  readonly name: string;
  /** The words that were found. */
  readonly words: string;
}

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
  /<\s*(?:important|system|instructions?|secret|hidden)\b[^>]*>(?!\s*<(?:p|ul|ol|note)\b)/iu,
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
const NAMES = /[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)+|[a-z]+[0-9]*(?:[A-Z][a-z0-9]*)+/gu;

const MOST_TEXT = 20_000;
const MOST_MENTIONS = 1_000;

/** Finds descriptions, in schemas too, that speak to the model about something else than their own tool. */
export function findPoison({ tools, prompts, resources, resourceTemplates }: UpstreamCatalogue): Findings {
  const own = new Set(tools.map(({ name }) => name as string));
  const found: Poison[] = [];
  const mentions: Mention[] = [];
  const look = (kind: ListKind, all: readonly Readonly<Record<string, unknown>>[], address: string) => {
    for (const definition of all) {
      const name = showHidden(cutText(definition[address] as string, 200));
      const words = first(definition, wordsIn);
      if (words !== undefined) found.push({ kind, name, words });
      else
        first(definition, (text) => {
          for (const tool of mentionsIn(text, own))
            if (mentions.length < MOST_MENTIONS)
              mentions.push({ kind, name, words: `${COMMANDS.exec(text)![0]} … ${tool}`, tool });
          return undefined;
        });
    }
  };
  look('tool', tools, 'name');
  look('prompt', prompts, 'name');
  look('resource', resources, 'uri');
  look('resourceTemplate', resourceTemplates, 'uriTemplate');
  return { found, mentions };
}

/** The first finding in the texts of a definition, and in the names of its members. */
function first(
  value: unknown,
  find: (text: string, isName: boolean) => string | undefined,
): string | undefined {
  if (typeof value === 'string') return find(value.slice(0, MOST_TEXT), false);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const words = (Array.isArray(value) ? undefined : find(key, true)) ?? first(part, find);
    if (words !== undefined) return words;
  }
  return undefined;
}

function wordsIn(given: string, isName: boolean): string | undefined {
  const hidden = hiddenIn(given);
  if (hidden !== undefined) return cutText(hidden, 400);
  if (isName) return ASKING_NAME.test(given) ? cutText(given, 200) : undefined;
  const text = given.replace(/\s+/gu, ' ');
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
  return new Set([...text.matchAll(NAMES)].map(([name]) => name).filter((name) => !own.has(name)));
}
