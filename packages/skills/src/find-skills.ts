import { createHash } from 'node:crypto';
import { basename, join, resolve, extname } from 'node:path';
import { findHiddenText } from '@toolwright/json';
import { type SkillProblem, skillProblem } from './errors.js';
import { readFrontmatter } from './frontmatter.js';
import { type FolderFile, readFolder } from './read-folder.js';
import { type FolderSkill, SKILL_FILE, type SkillFile } from './served-skill.js';

/** What every host accepts of one skill (SEP-2640, Limits). */
const MOST_FILES = 512;
const LARGEST_SKILL = 16 * 1024 * 1024;

/** A folder between the root and a skill becomes a segment of URIs. */
const SEGMENT = /^[A-Za-z0-9._~-]+$/;

/** The skills of a folder, with everything that is wrong with them. */
export async function findSkills(
  folder: string,
  prefix: string | undefined,
): Promise<{ readonly skills: readonly FolderSkill[]; readonly problems: readonly SkillProblem[] }> {
  const { files, problems: unread } = await readFolder(folder);
  const problems = [...unread];
  // A folder that is a skill itself has the name of the folder.
  const isOne = files.some(({ path }) => path.length === 1 && path[0] === SKILL_FILE);
  const before = [...(prefix?.split('/') ?? []), ...(isOne ? [basename(resolve(folder))] : [])];
  const roots = files.filter(({ path }) => path.at(-1) === SKILL_FILE).map(({ path }) => path.slice(0, -1));
  const made = new Map<FolderFile, SkillFile>();
  for (const file of files) {
    if (!roots.some((root) => holds(root, file))) continue;
    const found = findTextProblem(folder, file);
    if (found) problems.push(found);
    made.set(file, describe(file, before));
  }
  const skills = roots.flatMap((root) => {
    const own = files.filter((file) => holds(root, file));
    const skill = makeSkill(root, { folder, before, files: own, made });
    if (!('message' in skill)) return [skill];
    problems.push(skill);
    return [];
  });
  if (roots.length === 0 && problems.length === 0) problems.push(noSkills(folder, files));
  return { skills, problems };
}

interface SkillSource {
  readonly folder: string;
  readonly before: readonly string[];
  readonly files: readonly FolderFile[];
  readonly made: ReadonlyMap<FolderFile, SkillFile>;
}

function makeSkill(
  root: readonly string[],
  { folder, before, files, made }: SkillSource,
): FolderSkill | SkillProblem {
  const at = join(folder, ...root, SKILL_FILE);
  const segments = [...before, ...root];
  const odd = segments.find((segment) => !SEGMENT.test(segment));
  if (odd !== undefined)
    return skillProblem(
      `The skill ${at} cannot have a URI: its folder "${odd}" has other characters than letters, digits and . _ ~ -.`,
      'Rename the folder.',
    );
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (files.length > MOST_FILES || size > LARGEST_SKILL)
    return skillProblem(
      `The skill ${at} has ${files.length} files with ${size} bytes. Hosts accept 512 files with 16 MiB.`,
      'Move what no step of the skill reads out of its folder, or make several skills of it.',
    );
  const main = made.get(
    files.find(({ path }) => path.length === root.length + 1 && path.at(-1) === SKILL_FILE)!,
  )!;
  if (typeof main.content !== 'string') return skillProblem(`${at} is not UTF-8.`, 'Write it as UTF-8.');
  const read = readFrontmatter(main.content, segments.at(-1)!);
  if (read.problem !== undefined)
    return skillProblem(
      `The skill ${at} cannot be served: ${read.problem}.`,
      'Write it by the Agent Skills specification: `name`, which is the name of its folder, and `description`, between two lines of ---.',
    );
  return { uri: main.uri, frontmatter: read.fields, files: files.map((file) => made.get(file)!) };
}

function describe({ path, bytes }: FolderFile, before: readonly string[]): SkillFile {
  const name = path.at(-1)!;
  const content = textOf(bytes) ?? bytes;
  return {
    uri: `skill://${[...before, ...path].map(encodeURIComponent).join('/')}`,
    name,
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    size: bytes.length,
    mimeType: mediaTypeOf(name, typeof content === 'string'),
    content,
  };
}

/** The text of UTF-8, with its byte order mark; `undefined` for other bytes. */
function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Models read these files, and people review them: both must see the same. */
function findTextProblem(folder: string, { path, bytes }: FolderFile): SkillProblem | undefined {
  const text = textOf(bytes)?.replace(/^\uFEFF/, '') ?? '';
  const [hidden] = [...findHiddenText(path.join('/')), ...findHiddenText(text)];
  if (!hidden) return undefined;
  const line = text.split('\n').findIndex((each) => findHiddenText(each).length > 0) + 1;
  const place = line > 0 ? `in line ${line}` : 'in its name';
  return {
    code: 'TW_TEXT_HIDDEN',
    message: `${join(folder, ...path)} has the hidden character ${hidden.character} ${place}.`,
    fix: 'Remove it. People cannot see it, but models read it.',
  };
}

function holds(root: readonly string[], { path }: FolderFile): boolean {
  return path.length > root.length && root.every((name, index) => path[index] === name);
}

function noSkills(folder: string, files: readonly FolderFile[]): SkillProblem {
  const near = files.find(({ path }) => path.at(-1)!.toLowerCase() === SKILL_FILE.toLowerCase());
  return skillProblem(
    `The folder ${folder} has no skill.`,
    near
      ? `Rename ${join(...near.path)} to ${SKILL_FILE}.`
      : `Make a folder in it for each skill, with a file ${SKILL_FILE}.`,
  );
}

/** The media types of what skills usually hold. */
const types: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.ts': 'text/x-typescript',
  '.py': 'text/x-python',
  '.sh': 'text/x-shellscript',
  '.sql': 'application/sql',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.xml': 'application/xml',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
};

/** The media type of a file, by the end of its name. */
function mediaTypeOf(name: string, isText: boolean): string {
  return types[extname(name).toLowerCase()] ?? (isText ? 'text/plain' : 'application/octet-stream');
}
