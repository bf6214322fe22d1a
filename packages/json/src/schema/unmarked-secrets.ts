import { eachInside, type JsonSchema } from './json-schema.js';
import { isSensitive } from './keywords.js';
import { wordsOf } from '../text/words-of.js';

/** The last words of the name of a secret. `maxTokens`, `tokenCount` and `passwordPolicy` end otherwise. */
const SECRET =
  /(?:^|_)(?:password|passwd|pwd|passphrase|passcode|secret|credentials?|token|jwt|otp|totp|cvv|cvc|(?:api|private|secret|access|signing|encryption)_?key)$/;
/** Where to read on in a list. Each caller may see it. */
const PLACE =
  /(?:page|next|previous|prev|continuation|continue|cursor|sync|resume|delta|start|skip|paging)_?token$/;

/** The names of properties that look like secrets and have no mark, at any depth. Only texts are secrets. */
export function unmarkedSecrets(schema: JsonSchema): string[] {
  const found = new Set<string>();
  const visit = (part: JsonSchema): void => {
    for (const [name, inner] of Object.entries(part.properties ?? {}))
      if (namesSecret(name) && mayBeText(inner) && !isSensitive(inner)) found.add(name);
    eachInside(part, visit);
  };
  visit(schema);
  return [...found];
}

function namesSecret(name: string): boolean {
  const words = wordsOf(name).join('_');
  return SECRET.test(words) && !PLACE.test(words);
}

function mayBeText({ type, $ref, enum: values }: JsonSchema): boolean {
  return (
    $ref === undefined && values === undefined && (type === undefined || [type].flat().includes('string'))
  );
}
