import { isObject } from '@toolwright/json';
import { parseDocument } from 'yaml';

/** The YAML at the beginning of a `SKILL.md`, as JSON. */
export interface Frontmatter {
  readonly name: string;
  readonly description: string;
  readonly [field: string]: unknown;
}

type ReadFrontmatter =
  { readonly fields: Frontmatter; readonly problem?: undefined } | { readonly problem: string };

const BLOCK = /^\uFEFF?---[ \t]*\r?\n(?<yaml>[\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** The names that the Agent Skills specification allows. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Each list of skills carries it. A reader of YAML also compares each key and each alias with all others. */
const LONGEST = 32_768;

/**
 * YAML 1.2, as the clients read it that compare it: a date and the word `no` are texts there. It has only values of JSON, so it knows
 * no tags of YAML 1.1, and each key is a text.
 */
const AS_CLIENTS = {
  version: '1.2',
  schema: 'core',
  logLevel: 'error',
  resolveKnownTags: false,
  stringKeys: true,
} as const;

const RESERVED = 'io.modelcontextprotocol/';

/**
 * Reads the front matter of a `SKILL.md` by the rules of the Agent Skills specification.
 *
 * @param folder the name of the skill's folder, which the skill must have too
 * @returns the fields, or what is wrong
 */
export function readFrontmatter(text: string, folder: string): ReadFrontmatter {
  const yaml = BLOCK.exec(text)?.groups?.['yaml'];
  if (yaml === undefined) return { problem: 'it does not begin with front matter between two lines of ---' };
  if (yaml.length > LONGEST) return { problem: `its front matter is longer than ${LONGEST} characters` };
  const document = parseDocument(yaml, AS_CLIENTS);
  const [error] = document.errors;
  if (error) return notYaml(error);
  // A tag that JSON has no value for, such as `!!set`: what is left of its value is not what its author wrote.
  const [lost] = document.warnings;
  if (lost) return { problem: `its front matter would lose something in JSON: ${firstLine(lost)}` };
  let fields: unknown;
  try {
    fields = document.toJS();
  } catch (failed) {
    return notYaml(failed as Error);
  }
  const problem = findProblem(fields, folder);
  return problem === undefined ? { fields: fields as Frontmatter } : { problem };
}

const firstLine = ({ message }: Error) => message.split('\n')[0];

const notYaml = (error: Error) => ({ problem: `its front matter is not YAML: ${firstLine(error)}` });

function findProblem(fields: unknown, folder: string): string | undefined {
  if (!isObject(fields)) return 'its front matter has no fields';
  return findFieldProblem(fields, folder);
}

/** What is wrong with the fields of a skill in a folder of this name. */
export function findFieldProblem(
  fields: Readonly<Record<string, unknown>>,
  folder: string,
): string | undefined {
  const { name, description, compatibility, metadata } = fields;
  if (typeof name !== 'string' || !NAME.test(name) || name.length > 64)
    return `its "name" must have 1 to 64 small letters, digits and single hyphens, such as "${exampleOf(folder)}"`;
  if (name !== folder) return `its "name" is "${name}", and its folder is "${folder}"`;
  if (typeof description !== 'string' || description.trim() === '' || description.length > 1024)
    return 'its "description" must be a text of 1 to 1,024 characters';
  if (compatibility !== undefined && (typeof compatibility !== 'string' || compatibility.length > 500))
    return 'its "compatibility" must be a text of at most 500 characters';
  if (isObject(metadata)) {
    const reserved = Object.keys(metadata).find((key) => key.startsWith(RESERVED));
    if (reserved !== undefined) return `its metadata "${reserved}" has a reserved beginning`;
  }
  return findJsonProblem(fields, []);
}

function exampleOf(folder: string): string {
  const words = folder.toLowerCase().match(/[a-z0-9]+/g) ?? ['git-workflow'];
  return words.join('-').slice(0, 64);
}

/** As many as messages of the protocol may have. */
const MOST_LEVELS = 64;

/** @param around the objects and lists that the value is in */
function findJsonProblem(value: unknown, around: readonly object[]): string | undefined {
  // The digits of a longer integer are lost where the text becomes a number.
  if (typeof value === 'bigint' || (typeof value === 'number' && !isExact(value)))
    return 'its front matter has a number that JSON cannot carry';
  if (typeof value !== 'object' || value === null) return undefined;
  // In YAML, an alias may stand within the value of its own anchor.
  if (around.includes(value)) return 'its front matter has a value that contains itself';
  if (around.length === MOST_LEVELS) return `its front matter has more than ${MOST_LEVELS} levels`;
  for (const part of Object.values(value)) {
    const problem = findJsonProblem(part, [...around, value]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const isExact = (number: number): boolean =>
  Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
