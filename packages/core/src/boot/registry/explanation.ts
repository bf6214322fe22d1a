import type { Principal } from '@toolwright/ground/base/request-context';
import type {
  Audience,
  BoundTool,
  Deprecation,
  StepDescription,
} from '@toolwright/ground/call/operation/operation';
import { cutText, type JsonSchema, present } from '@toolwright/json';
import { isInAudience } from '../../policies/authorize.js';

/** What `toolwright explain` shows about a tool. */
export interface ToolExplanation {
  name: string;
  description?: string;
  /** The place of the decorator, as `file:line:column`. */
  location?: string;
  /** The key of the manifest entry. */
  key?: string;
  annotations: BoundTool['annotations'];
  /** The natural schemas. Arguments and results are validated against them. */
  input: JsonSchema;
  output: JsonSchema | null;
  policies: { name: string; origin: string }[];
  /** The planned chain of steps, outermost first. */
  steps: readonly StepDescription[];
  contract: string;
  /** The version, if the tool has versions. The bare name explains the newest one. */
  version?: string;
  /** There is a newer version for everybody. */
  isOutdated?: true;
  /** What its author says in place of it. */
  deprecation?: Deprecation;
  /** Whom the tool is for, if not for everybody: the name of the function, or its text. */
  for?: string;
  /** The other tools of this name, each for other callers. */
  others?: readonly ToolExplanation[];
}

/**
 * Explains all tools of one name, or the tools of this name that a caller gets.
 *
 * @returns `undefined` when there is none
 */
export function explainTools(
  all: readonly BoundTool[],
  caller: { readonly principal: Principal | undefined } | undefined,
): ToolExplanation | undefined {
  const meant = caller
    ? all.filter(({ audience }) => !audience || isInAudience(audience, caller.principal))
    : all;
  const [first, ...others] = meant.map(explainTool);
  return first && { ...first, ...(others.length > 0 && { others }) };
}

/** A longer function says too much for one line. */
const LONGEST_WORDS = 160;

/** What a function is called, or what it says. A function without a name of its own is called `for`. */
function wordsOf(audience: Audience): string {
  const { name } = audience;
  const words = name !== '' && name !== 'for' ? name : String(audience).replace(/\s+/g, ' ');
  return cutText(words, LONGEST_WORDS, '…');
}

function explainTool(tool: BoundTool): ToolExplanation {
  return present({
    name: tool.name,
    description: tool.description,
    location: tool.location,
    key: tool.entry?.key,
    annotations: tool.annotations,
    input: tool.inputSchema,
    output: tool.outputSchema ?? null,
    policies: [...tool.policies].map(([policy, { origin }]) => ({ name: policy, origin })),
    steps: tool.plan ?? [],
    contract: tool.contract,
    version: tool.version,
    isOutdated: tool.isOutdated === true ? true : undefined,
    deprecation: tool.deprecation,
    for: tool.audience && wordsOf(tool.audience),
  });
}
