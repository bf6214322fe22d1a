import { type JsonSchema, lostKeywords, unmarkedSecrets, wordsOf } from '@toolwright/json';
import type { LintProblem, LintedTool } from './lint-problem.js';

type ToolProblem = Pick<LintProblem, 'rule' | 'severity' | 'message' | 'parameter'>;
type ToolRule = (tool: LintedTool, verbs: readonly string[]) => ToolProblem[];

/** Some hosts add the server's name in front and cut the result at 64 characters. */
const LONGEST_NAME = 64;

/**
 * The placeholders of `toolwright new`, and common ones of people. A tool may well be about to-dos, so `TODO`
 * needs its colon.
 */
const PLACEHOLDER = /\(Say here [^)]*\)|\bTODO:|\bFIXME\b/;

/**
 * All problems about one tool alone.
 *
 * @param verbs words that names may begin with, in addition to the usual ones
 */
export function lintTool(tool: LintedTool, verbs: readonly string[] = []): LintProblem[] {
  const { name, location } = tool;
  return rules
    .flatMap((rule) => rule(tool, verbs))
    .map((problem) => ({
      ...problem,
      tool: name,
      ...(location && { location }),
    }));
}

const rules: ToolRule[] = [
  ({ name }) =>
    /^[A-Za-z][A-Za-z0-9_-]*$/.test(name) && name.length <= LONGEST_NAME
      ? []
      : [error('tool-name', `letters, digits, _ and - only, ${LONGEST_NAME} characters at most.`)],
  ({ name, description }, verbs) =>
    beginsWithVerb(name, description, verbs)
      ? []
      : [warning('verb-first', 'its name does not begin with a verb, as find_notes does.')],
  ({ description }) =>
    description.trim() ? [] : [error('description-missing', 'it has no description: write a doc comment.')],
  ({ description }) => {
    const [rest] = PLACEHOLDER.exec(description) ?? [];
    return rest === undefined
      ? []
      : [error('description-placeholder', `its description still has ${JSON.stringify(rest)}.`)];
  },
  ({ description, output }) =>
    output === null ||
    !description.trim() ||
    /\b(return|answer|give|tell|list|yield|stream|read|get|count|show)s?\b/i.test(description)
      ? []
      : [
          warning(
            'returns-missing',
            'its description does not say what it returns; models do not read @returns.',
          ),
        ],
  ({ input }) =>
    Object.entries(input.properties ?? {}).flatMap(([name, schema]) => lintParameter(name, schema)),
  ({ planned }) =>
    planned && Object.keys(planned.annotations).length === 0
      ? [warning('annotations-missing', 'it has no annotations: say whether it only reads, or destroys.')]
      : [],
  ({ planned: { annotations = {} } = {} }) =>
    annotations['readOnlyHint'] === true && annotations['destructiveHint'] === true
      ? [
          error(
            'annotations-contradict',
            'it says that it only reads (readOnlyHint) and that it destroys (destructiveHint): leave one of them out.',
          ),
        ]
      : [],
  ({ planned }) =>
    planned?.annotations['destructiveHint'] === true && !planned.confirms
      ? [warning('destructive-unconfirmed', 'it destroys something and asks nobody first: add @Confirm.')]
      : [],
  ({ input }) =>
    unmarkedSecrets(input).map((name) => ({
      ...warning(
        'secret-unmarked',
        `${name} looks like a secret and has no mark. Write @Sensitive() before the parameter, or @sensitive in its comment.`,
      ),
      parameter: { name, lacks: 'mark of a secret' },
    })),
  ({ input }) =>
    lostKeywords(input).map(({ place, keyword }) => {
      const where = place === '' ? 'its arguments' : `its argument ${place}`;
      return warning(
        'published-weaker',
        `lists leave out "${keyword}" of ${where}, because hosts refuse it. Say in the description what the server checks.`,
      );
    }),
];

function lintParameter(name: string, schema: JsonSchema): ToolProblem[] {
  const has = (...keywords: string[]) => keywords.some((keyword) => schema[keyword] !== undefined);
  const types = [schema.type ?? []].flat();
  // A model passes an id on as it got it, so it needs no bounds.
  const isId = /^(id|ID)$|_id$|[a-z\d]I[dD]$/.test(name);
  const isNumber = types.includes('number') || types.includes('integer');
  return [
    ...(has('description') ? [] : [lacking('parameter-description', name, 'description')]),
    ...(isNumber &&
    !isId &&
    !has('enum', 'const') &&
    !(has('minimum', 'exclusiveMinimum') && has('maximum', 'exclusiveMaximum'))
      ? [lacking('number-unbounded', name, '@minimum or no @maximum')]
      : []),
    ...(types.includes('string') &&
    !isId &&
    !has('maxLength', 'pattern', 'format', 'enum', 'const', 'contentEncoding')
      ? [lacking('text-unbounded', name, '@maxLength, @pattern or @format')]
      : []),
  ];
}

function lacking(rule: ToolProblem['rule'], name: string, lacks: string): ToolProblem {
  return { ...warning(rule, `${name} has no ${lacks}.`), parameter: { name, lacks } };
}

function error(rule: ToolProblem['rule'], message: string): ToolProblem {
  return { rule, severity: 'error', message };
}

function warning(rule: ToolProblem['rule'], message: string): ToolProblem {
  return { rule, severity: 'warning', message };
}

/**
 * What tools do, in one word. Tool names should begin with one. `toolwright.lint.verbs` in package.json adds
 * others.
 */
const verbs = new Set(
  (
    'abort accept acknowledge activate add adjust allocate analyse analyze annotate append apply approve archive ask ' +
    'assign attach audit authorise authorize backup ban block book build buy calculate call cancel capture change ' +
    'charge check checkout classify clean clear clone close collect commit compare compile complete compose compress ' +
    'compute configure confirm connect convert copy correct count create crop cut deactivate debug decline decode ' +
    'decrease decrypt delete deliver deny deploy describe destroy detach detect diff disable disconnect discover ' +
    'dismiss display divide do download draft draw drop dump duplicate echo edit embed enable encode encrypt end ' +
    'enqueue estimate evaluate exclude execute expand explain export extract fail fetch fill filter find finish fix ' +
    'flag flush follow forecast format forward generate get give go grant group handle hash help hide highlight ' +
    'import improve include increase index insert inspect install invite invoke issue join judge keep label launch learn ' +
    'leave like link list load localize lock log login logout look lookup make manage map mark match measure merge ' +
    'migrate modify monitor mount move multiply mute navigate notify observe open optimise optimize order organize ' +
    'parse patch pause pay perform pick pin ping place plan play plot poll post predict prepare preview print ' +
    'process produce promote propose provision publish pull purchase push put query queue quote rank rate read ' +
    'rebuild receive recommend record recover redeem redirect reduce refresh refund register reject release reload ' +
    'remember remind remove rename render renew reopen reorder repair repeat replace reply report request ' +
    'reschedule reserve reset resize resolve restart restore resume retrieve retry return revert review revoke ' +
    'rewrite roll rollback rotate route run sample save scale scan schedule score search see select send set share ' +
    'ship show sign simulate skip snooze solve sort split star start stop store stream submit subscribe subtract ' +
    'suggest sum summarise summarize suspend swap switch sync tag tail take tell terminate test think toggle track ' +
    'train transcribe transfer transform translate trigger trim try turn unassign unblock undo unfollow uninstall ' +
    'unlink unlock unmute unpin unsubscribe update upgrade upload upsert use validate verify view visit visualize ' +
    'vote wait watch withdraw wrap write zip'
  ).split(' '),
);

/**
 * Whether a name begins with a verb: one of the list, one of the project's own, or the first word of its
 * description ("Frobnicate a page").
 */
function beginsWithVerb(name: string, description: string, own: readonly string[]): boolean {
  const [first = ''] = wordsOf(name);
  const [word = ''] = description.trim().toLowerCase().split(/\W/);
  // "Notes of the day" begins with a noun.
  const isThirdPerson =
    (word === first && !first.endsWith('s')) || word === `${first}s` || word === `${first}es`;
  return verbs.has(first) || own.includes(first) || isThirdPerson;
}
