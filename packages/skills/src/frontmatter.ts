import { parse } from 'yaml';

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
  let fields: unknown;
  try {
    // YAML 1.2, as the clients read it that compare it: a date and the word `no` are texts there.
    fields = parse(yaml, { version: '1.2', schema: 'core', logLevel: 'error' });
  } catch (error) {
    const [line] = (error as Error).message.split('\n');
    return { problem: `its front matter is not YAML: ${line}` };
  }
  const problem = findProblem(fields, folder);
  return problem === undefined ? { fields: fields as Frontmatter } : { problem };
}

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
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
