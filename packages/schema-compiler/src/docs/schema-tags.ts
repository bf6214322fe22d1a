import { editDistance } from '@toolwright/json';

/** How the text of a doc tag becomes the value of a schema keyword. */
export type TagValue = 'number' | 'string' | 'boolean' | 'json' | 'list' | 'flag';

/**
 * The tags of typescript-json-schema, each with the kind of its value. As there, `json` is parsed as JSON if
 * possible, and otherwise it is text.
 */
export const SCHEMA_TAGS: Readonly<Record<string, TagValue>> = {
  multipleOf: 'number',
  maximum: 'number',
  exclusiveMaximum: 'number',
  minimum: 'number',
  exclusiveMinimum: 'number',
  maxLength: 'number',
  minLength: 'number',
  pattern: 'string',
  items: 'json',
  maxItems: 'number',
  minItems: 'number',
  uniqueItems: 'boolean',
  contains: 'json',
  maxProperties: 'number',
  minProperties: 'number',
  additionalProperties: 'json',
  enum: 'list',
  type: 'json',
  examples: 'list',
  ignore: 'flag',
  description: 'string',
  format: 'string',
  default: 'json',
  $ref: 'string',
  id: 'string',
  $id: 'string',
  $comment: 'string',
  title: 'string',
  readOnly: 'boolean',
  writeOnly: 'boolean',
};

/** Keywords that forbid values, apart from `type` and `format`, which other tools use with other meanings. */
const LIMITS = new Set(
  (
    'multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems ' +
    'uniqueItems contains maxProperties minProperties'
  ).split(' '),
);

/** Whether a tag holds callers to something: a limit or a mark. Its loss is an error. */
export function isHeldTo(name: string): boolean {
  return LIMITS.has(name) || name === 'sensitive' || name === 'writeOnly';
}

/** The same for a tag that may be misspelt. */
export function isMeantToHold(name: string): boolean {
  return isHeldTo(nearestTag(name) ?? name);
}

/** Tags that mean something to the compiler but are not keywords. */
const OWN_TAGS = [
  'example',
  'deprecated',
  'nullable',
  'sensitive',
  'TJS',
  'TJS-type',
  'TJS-ignore',
  'asType',
];

/** Tags that have another meaning in the comment of a method, there or in other tools. */
const ABOUT_METHODS = new Set(
  'items contains additionalProperties enum type examples ignore description default $ref id $id $comment title'.split(
    ' ',
  ),
);

/** Whether a tag only makes sense for a value, so that it does nothing in the comment of a method. */
export function isAboutValues(name: string): boolean {
  return (
    name === 'sensitive' ||
    name === 'nullable' ||
    (Object.hasOwn(SCHEMA_TAGS, name) && !ABOUT_METHODS.has(name))
  );
}

/** Tags of TSDoc, JSDoc and common tools. They are correct, so they never count as a misspelt tag of ours. */
const FOREIGN_TAGS = new Set(
  (
    'abstract access alias alpha arg argument async augments author beta borrows callback category class classdesc ' +
    'constant constructor constructs copyright decorator defaultValue defaultvalue desc eventProperty event exception ' +
    'experimental exports extends external file fileoverview fires function generator global group hidden hideconstructor ' +
    'implements import inheritDoc inheritdoc inner instance interface internal jsx kind label lends license link listens ' +
    'member memberof method mixes mixin module name namespace override overload package packageDocumentation param ' +
    'privateRemarks private prop property protected public readonly remarks requires return returns satisfies sealed ' +
    'see since static summary tags template this throws todo tutorial typedef typeParam var variation version virtual yields ' +
    'swagger openapi eslint ts-ignore ts-expect-error jest'
  ).split(' '),
);

/**
 * The tag that `name` was probably meant to be: one or two letters differ, or only upper and lower case.
 * Undefined for known tags, tags of other tools, and names that are not similar to any tag.
 */
export function nearestTag(name: string): string | undefined {
  const known = [...Object.keys(SCHEMA_TAGS), ...OWN_TAGS];
  if (known.includes(name) || FOREIGN_TAGS.has(name) || name.includes('.') || name.startsWith('TJS-'))
    return undefined;
  const lower = name.toLowerCase();
  let best: { tag: string; distance: number } | undefined;
  for (const tag of [...known, 'param', 'returns']) {
    const distance = editDistance(lower, tag.toLowerCase());
    if (!best || distance < best.distance) best = { tag, distance };
  }
  const allowed = name.length <= 4 ? 1 : 2;
  return best && best.distance <= allowed ? best.tag : SYNONYMS[lower];
}

/** The names that other schema tools use for the same thing. */
const SYNONYMS: Readonly<Record<string, string>> = {
  min: 'minimum',
  max: 'maximum',
  minlen: 'minLength',
  maxlen: 'maxLength',
  length: 'maxLength',
  regex: 'pattern',
  regexp: 'pattern',
  defaults: 'default',
  integer: 'TJS-type integer',
  int: 'TJS-type integer',
  isint: 'TJS-type integer',
  islong: 'TJS-type integer',
  isfloat: 'TJS-type number',
  isdouble: 'TJS-type number',
  isnumber: 'TJS-type number',
  isstring: 'TJS-type string',
  isbool: 'TJS-type boolean',
  isboolean: 'TJS-type boolean',
  isarray: 'TJS-type array',
  isdate: 'format date',
  isdatetime: 'format date-time',
  unique: 'uniqueItems',
};
