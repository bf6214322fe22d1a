import type { JsonSchema } from '@toolwright/json';
import type { Finding, LintedTool } from './finding.js';
import { beginsWithVerb } from './verbs.js';

type Told = Pick<Finding, 'rule' | 'severity' | 'message'>;
type ToolRule = (tool: LintedTool, verbs: readonly string[]) => Told[];

/** Some hosts add the server's name in front and cut the result at 64 characters. */
const LONGEST_NAME = 64;

/**
 * The placeholders of `toolwright new`, and common ones of people. A tool may well be about to-dos, so `TODO`
 * needs its colon.
 */
const PLACEHOLDER = /\(Say here [^)]*\)|\bTODO:|\bFIXME\b/;

/**
 * All findings about one tool alone.
 *
 * @param verbs words that names may begin with, in addition to the usual ones
 */
export function lintTool(tool: LintedTool, verbs: readonly string[] = []): Finding[] {
  const { name, location } = tool;
  return rules.flatMap((rule) => rule(tool, verbs)).map((told) => ({ ...told, tool: name, location }));
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
  ({ planned }) =>
    planned?.annotations['destructiveHint'] === true && !planned.confirms
      ? [warning('destructive-unconfirmed', 'it destroys something and asks nobody first: add @Confirm.')]
      : [],
];

function lintParameter(name: string, schema: JsonSchema): Told[] {
  const has = (...keywords: string[]) => keywords.some((keyword) => schema[keyword] !== undefined);
  const types = [schema.type ?? []].flat();
  const isNumber = types.includes('number') || types.includes('integer');
  return [
    ...(has('description') ? [] : [warning('parameter-description', `${name} has no description.`)]),
    ...(isNumber &&
    !has('enum', 'const') &&
    !(has('minimum', 'exclusiveMinimum') && has('maximum', 'exclusiveMaximum'))
      ? [warning('number-unbounded', `${name} has no @minimum or no @maximum.`)]
      : []),
    ...(types.includes('string') && !has('maxLength', 'pattern', 'format', 'enum', 'const', 'contentEncoding')
      ? [warning('text-unbounded', `${name} has no @maxLength, @pattern or @format.`)]
      : []),
  ];
}

function error(rule: Told['rule'], message: string): Told {
  return { rule, severity: 'error', message };
}

function warning(rule: Told['rule'], message: string): Told {
  return { rule, severity: 'warning', message };
}
