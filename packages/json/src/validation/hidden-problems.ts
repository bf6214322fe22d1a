import { HIDDEN, type SensitiveParts, sensitiveParts } from '../schema/sensitive-parts.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { wellFormed } from '../text/well-formed.js';
import type { Problem } from './problem.js';

/**
 * Expectations that reveal nothing about the allowed values: types, lengths, limits, and that something is
 * missing.
 */
const harmless = new Set(
  'type required minLength maxLength minItems maxItems minimum maximum additionalProperties'.split(' '),
);

/** Shorter texts, and the names of the two booleans, occur in every message, so they are not removed. */
const LEAST = 3;
const isEverywhere = (text: string) => text.length < LEAST || text === 'true' || text === 'false';

/** The same for the answer to a question, whose schema has sensitive parts of its own. */
export function hideInAnswer(
  problems: readonly Problem[],
  schema: JsonSchema,
  answer: unknown,
): readonly Problem[] {
  const parts = sensitiveParts(schema);
  return parts ? hideIn(problems, parts, scrubbable(parts.secretsOf(answer))) : problems;
}

/** Prepares problems of a value with sensitive parts. */
export function hideIn(
  problems: readonly Problem[],
  parts: SensitiveParts | undefined,
  secrets: readonly string[],
): readonly Problem[] {
  return problems.map((problem) => {
    const { pointer, keyword, expected, received, isSentence } = problem;
    const isCovered = problem.sensitive === true || parts?.covers(pointer) === true;
    const isRepeated = received !== undefined && secrets.includes(String(received.value));
    const isGivenAway = isCovered && !harmless.has(keyword);
    return {
      pointer: parts?.shorten(pointer) ?? pointer,
      keyword,
      expected: isGivenAway ? 'another value' : scrub(withoutDetail(expected, isCovered), secrets),
      ...(isSentence && !isGivenAway && { isSentence }),
      ...(received && !isCovered && !isRepeated && { received: scrubbed(received, secrets) }),
    };
  });
}

/** `required (one of "a", "b")` would reveal the possible values. */
function withoutDetail(expected: string, isCovered: boolean): string {
  return isCovered ? expected.replace(/ \([^]*\),/, ',') : expected;
}

/** The secrets that are removed from texts, in each form in which a text may have them, the longest first. */
export function scrubbable(secrets: readonly string[]): string[] {
  const forms = secrets.filter((secret) => !isEverywhere(secret)).flatMap(formsOf);
  return [...new Set(forms)].sort((one, other) => other.length - one.length);
}

/** A secret as it is, in JSON, in an address, and in the header of a request. */
function formsOf(secret: string): string[] {
  const text = wellFormed(secret);
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(text)];
  if (secret.length < LEAST_ENCODED) return forms;
  return [...forms, ...(['base64', 'base64url'] as const).map((form) => encodedIn(text, form))];
}

/** Shorter texts have encodings that other texts have, too. */
const LEAST_ENCODED = 6;

/** Without the last characters: they depend on what follows the secret, and on whether anything does. */
function encodedIn(text: string, form: 'base64' | 'base64url'): string {
  const bytes = Buffer.from(text);
  return bytes.subarray(0, bytes.length - (bytes.length % 3)).toString(form);
}

function scrubbed({ value }: { value: unknown }, secrets: readonly string[]): { value: unknown } {
  return { value: typeof value === 'string' ? scrub(value, secrets) : value };
}

/** Removes the secrets from a text. */
export function scrub(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
}
