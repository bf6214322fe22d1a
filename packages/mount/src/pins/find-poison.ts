import { hiddenIn, showHidden } from './hidden-text.js';
import type { UpstreamCatalogue, ListKind } from '../read-catalogue.js';

/** Words in a description that address the model, and not the person who chooses a tool; or text that nobody sees. */
export interface Poison {
  readonly kind: ListKind;
  readonly name: string;
  /** The words that were found. */
  readonly words: string;
}

/** What descriptions of honest tools do not say. A match is a reason to read the description, and no proof. */
const SIGNS: readonly RegExp[] = [
  /<\s*(?:important|system|instructions?|secret|hidden)\b[^>]*>/iu,
  /\b(?:ignore|disregard|forget|override)\b.{0,20}\b(?:previous|prior|above|earlier|other|system|all)\b.{0,20}\b(?:instructions?|prompts?|rules?|messages?|tools?)\b/iu,
  /\b(?:do not|don't|never)\b.{0,20}\b(?:tell|mention|inform|reveal|notify|ask)\b.{0,40}\b(?:users?|humans?|persons?|people|anyone|them)\b/iu,
  /\b(?:before|after|instead of|whenever|when)\b.{0,20}\b(?:using|calling|invoking|use|call|invoke)\b.{0,20}\b(?:any|every|other|another|all)\b.{0,12}\btools?\b/iu,
  /\b(?:read|send|include|pass|attach|forward|copy|upload)\b.{0,60}(?:\.ssh\b|\bid_rsa\b|\.env\b|\bmcp\.json\b|\bcredentials?\b|\bapi[ _-]?keys?\b|\bpasswords?\b|\bprivate keys?\b|\bsystem prompt\b)/iu,
];

/** Finds descriptions, in schemas too, that speak to the model about something else than their own tool. */
export function findPoison({ tools, prompts, resources, resourceTemplates }: UpstreamCatalogue): Poison[] {
  const names = tools.map(({ name }) => name as string).filter((name) => /[_-]/.test(name));
  const look = (kind: ListKind, all: readonly Readonly<Record<string, unknown>>[], address: string) =>
    all.flatMap((definition) => {
      const name = definition[address] as string;
      const words = wordsIn(
        definition,
        names.filter((other) => other !== name),
      );
      return words === undefined ? [] : [{ kind, name: showHidden(name.slice(0, 200)), words }];
    });
  return [
    ...look('tool', tools, 'name'),
    ...look('prompt', prompts, 'name'),
    ...look('resource', resources, 'uri'),
    ...look('resourceTemplate', resourceTemplates, 'uriTemplate'),
  ];
}

const COMMANDS = /\b(?:always|must|never|first|instead)\b/iu;

function wordsIn(value: unknown, others: readonly string[]): string | undefined {
  if (typeof value === 'string') {
    const hidden = hiddenIn(value.slice(0, 20_000));
    if (hidden !== undefined) return hidden.slice(0, 400);
    const text = value.slice(0, 20_000).replace(/\s+/gu, ' ');
    for (const sign of SIGNS) {
      const [found] = sign.exec(text) ?? [];
      if (found !== undefined) return found.slice(0, 200);
    }
    const other = COMMANDS.test(text) ? others.find((name) => text.includes(name)) : undefined;
    return other === undefined ? undefined : `${COMMANDS.exec(text)![0]} … ${other}`;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const part of Object.values(value)) {
    const words = wordsIn(part, others);
    if (words !== undefined) return words;
  }
  return undefined;
}
