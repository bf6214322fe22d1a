import type { ContentBlock } from '../../base/content/content.js';

/**
 * The fields that each kind of content block must have (schema of 2026-07-28, ContentBlock), and how messages
 * describe them.
 */
const required: Readonly<Record<string, readonly (readonly [field: string, expected: string])[]>> = {
  text: [['text', 'a string']],
  image: [
    ['data', 'a string in base64'],
    ['mimeType', 'a string'],
  ],
  audio: [
    ['data', 'a string in base64'],
    ['mimeType', 'a string'],
  ],
  resource_link: [
    ['uri', 'a string'],
    ['name', 'a string'],
  ],
  resource: [],
};

/**
 * True for any value with the form of a content block. Most values are not; a look at `type` is enough for
 * these.
 */
export function isContentBlock(value: unknown): value is ContentBlock {
  return isRecord(value) && isKnown(value['type']) && findBlockProblem(value) === undefined;
}

/** Why a value is not a content block, as the end of a sentence; `undefined` when it is one. */
export function findBlockProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return 'is not an object';
  const { type } = value;
  if (!isKnown(type))
    return `has the type ${JSON.stringify(type)}, which is none of ${Object.keys(required).join(', ')}`;
  const wrong = required[type]!.find(([field]) => typeof value[field] !== 'string');
  if (wrong) return `of the type "${type}" needs "${wrong[0]}", ${wrong[1]}`;
  if (type !== 'resource') return undefined;
  const problem = findContentsProblem(value['resource']);
  return problem && `of the type "resource" has a "resource" that ${problem}`;
}

/** Why a value is not the contents of a resource. */
export function findContentsProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return 'is not an object';
  if (typeof value['uri'] !== 'string') return 'needs "uri", a string';
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string'
    ? undefined
    : 'needs "text", or "blob" in base64';
}

function isKnown(type: unknown): type is string {
  return typeof type === 'string' && Object.hasOwn(required, type);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
