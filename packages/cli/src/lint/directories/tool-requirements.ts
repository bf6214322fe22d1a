import { type JsonSchema, wordsOf } from '@toolwright/json';
import { type LintedTool, sources } from '../lint-problem.js';
import { findMixedActions, walkProperties } from './mixed-actions.js';
import { unless, type Requirement } from './requirement.js';

const LONGEST_NAME = 64;
/** Claude Code cuts a longer description. */
const LONGEST_DESCRIPTION = 2048;

const PROMOTION = /(^|[^a-z])(best|official|pick[_-]?me)([^a-z]|$)/;
const CREDENTIAL = /^(api_?key|(access_?|auth_?|bearer_?)?token|pass_?word|(client_?)?secret|credentials?)$/i;
const PAGING = new Set('limit count max size page cursor offset first top take'.split(' '));

/** What the directories want of every tool. */
export const toolRequirements: Requirement<LintedTool>[] = [
  {
    rule: 'directory-title',
    directory: 'claude',
    severity: 'error',
    source: sources.claudeReview,
    check: ({ title, planned }) =>
      unless(Boolean(title ?? planned?.annotations['title']), 'it has no title for people.'),
  },
  {
    rule: 'directory-hints',
    directory: 'claude',
    severity: 'error',
    source: sources.claudeReview,
    check: ({ planned }) =>
      !planned
        ? []
        : unless(
            (planned.annotations['readOnlyHint'] === true) !==
              (planned.annotations['destructiveHint'] === true),
            'exactly one of readOnlyHint and destructiveHint must be true: the first for tools that only read, the second for all others.',
          ),
  },
  {
    rule: 'directory-hints',
    directory: 'chatgpt',
    severity: 'error',
    source: sources.chatgptGuidelines,
    check: ({ planned }) => (planned ? missingHints(planned.annotations) : []),
  },
  {
    rule: 'directory-name',
    directory: 'claude',
    severity: 'error',
    source: sources.claudeReview,
    check: ({ name }) =>
      unless(
        name.length <= LONGEST_NAME,
        `its name has ${name.length} characters, and ${LONGEST_NAME} are allowed.`,
      ),
  },
  {
    rule: 'directory-name',
    directory: 'chatgpt',
    severity: 'error',
    source: sources.chatgptGuidelines,
    check: ({ name }) => {
      const word = PROMOTION.exec(wordsOf(name).join('_'))?.[2];
      return unless(word === undefined, `its name advertises itself with "${word}".`);
    },
  },
  ...(
    [
      ['claude', 'error', sources.claudeReview],
      ['chatgpt', 'warning', sources.chatgptTools],
    ] as const
  ).map(([directory, severity, source]): Requirement<LintedTool> => ({
    rule: 'directory-read-write',
    directory,
    severity,
    source,
    check: ({ input }) =>
      findMixedActions(input).map(
        (name) => `its argument ${name} chooses between reading and writing: make a tool of each.`,
      ),
  })),
  {
    rule: 'directory-description',
    directory: 'claude',
    severity: 'warning',
    source: sources.claudeCode,
    check: ({ description }) => {
      const bytes = Buffer.byteLength(description);
      return unless(
        bytes <= LONGEST_DESCRIPTION,
        `its description has ${bytes} bytes, and Claude Code cuts it after ${LONGEST_DESCRIPTION}.`,
      );
    },
  },
  {
    rule: 'directory-result',
    directory: 'claude',
    severity: 'warning',
    source: sources.claudeLimits,
    check: ({ input, output }) =>
      unless(
        output === null || !isOpenList(output) || hasPaging(input),
        'nothing limits the length of its list: Claude takes 25,000 tokens or about 150,000 characters. Add a limit or a cursor.',
      ),
  },
  ...(
    [
      ['claude', sources.claudeAuthentication],
      ['chatgpt', sources.chatgptGuidelines],
    ] as const
  ).map(([directory, source]): Requirement<LintedTool> => ({
    rule: 'directory-authentication',
    directory,
    severity: 'error',
    source,
    check: ({ input }) =>
      credentials(input).map((name) => `its argument ${name} asks for a credential: use OAuth.`),
  })),
];

function missingHints(annotations: Readonly<Record<string, unknown>>): string[] {
  const missing = ['readOnlyHint', 'destructiveHint', 'openWorldHint'].filter(
    (hint) => typeof annotations[hint] !== 'boolean',
  );
  return [
    ...unless(missing.length === 0, `it does not say true or false for ${missing.join(', ')}.`),
    ...unless(
      annotations['readOnlyHint'] !== true || annotations['destructiveHint'] !== true,
      'it says that it only reads, and that it destroys.',
    ),
  ];
}

/** A list of any length, as the result or as one of its fields. A list of plain words in a field is small. */
function isOpenList(output: JsonSchema): boolean {
  const isOpen = ({ type, maxItems }: JsonSchema) => type === 'array' && maxItems === undefined;
  return (
    isOpen(output) ||
    Object.values(output.properties ?? {}).some(
      (field) => isOpen(field) && (field.items as JsonSchema | undefined)?.properties !== undefined,
    )
  );
}

/** `maxResults` and `page_size` have a word of paging. */
function hasPaging({ properties = {} }: JsonSchema): boolean {
  return Object.keys(properties).some((name) => wordsOf(name).some((word) => PAGING.has(word)));
}

function credentials(input: JsonSchema): string[] {
  const found = new Set<string>();
  walkProperties(input, (name) => void (CREDENTIAL.test(name) && found.add(name)));
  return [...found];
}
