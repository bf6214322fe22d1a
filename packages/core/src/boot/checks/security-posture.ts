import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { factsOf } from '@toolwright/ground/base/operation-kinds';
import type { OutputOptions } from '@toolwright/ground/call/call-options';
import { locationOf, type AnyDraft } from '@toolwright/ground/call/operation/draft';
import { HiddenText } from '../../policies/output/guard-output.js';
import { Audit } from '../../policies/audit/audit.js';
import { UndeclaredOutput } from '../../policies/output/undeclared-output.js';
import { RequireScopes } from '../../policies/authorize.js';
import { type SecurityPart, type ServerOptions, securityParts } from '../options/server-options.js';

/** What a server refuses under strict security, at boot or at run time, and would otherwise accept. */
export class SecurityPosture {
  readonly #parts: ReadonlySet<SecurityPart>;
  /** How strict security treats output if the options do not say it. */
  readonly output: ServerOptions['output'];
  /** What the options lack. */
  readonly problems: readonly ConfigurationProblem[];

  constructor({ security, output = {}, audit }: ServerOptions) {
    const relaxed = (typeof security === 'object' && security.relax) || [];
    this.#parts = new Set(security ? securityParts.filter((part) => !relaxed.includes(part)) : []);
    this.output = {
      ...(this.demands('hidden') && { hidden: 'drop' }),
      ...(this.demands('output') && { undeclared: 'refuse' }),
      ...output,
    };
    this.problems = this.#demanded(lacksOf(audit, output));
  }

  demands(part: SecurityPart): boolean {
    return this.#parts.has(part);
  }

  /** What an operation must declare under strict security, but does not. */
  findProblems(draft: AnyDraft): ConfigurationProblem[] {
    if (this.#parts.size === 0) return [];
    return this.#demanded(lacksIn(draft)).map((problem) => ({ ...problem, ...locationOf(draft) }));
  }

  #demanded(lacks: Iterable<Lack>): ConfigurationProblem[] {
    const demanded = [...lacks].filter(([part]) => this.demands(part));
    return demanded.map(([part, message, fix]) => ({
      code: 'TW_SECURITY_STRICT',
      message: `security: 'strict' does not allow this: ${message}`,
      fix: `${fix} Or relax this part: security: { mode: 'strict', relax: ['${part}'] }.`,
    }));
  }
}

type Lack = [part: SecurityPart, message: string, fix: string];

function* lacksOf(audit: ServerOptions['audit'], { hidden, undeclared }: OutputOptions): Generator<Lack> {
  if (!audit) yield ['audit', 'No call is recorded: "audit" is not set.', "Set audit: { file: '…' }."];
  if (hidden && hidden !== 'drop')
    yield ['hidden', `output.hidden is '${hidden}'.`, "Leave it out, or set it to 'drop'."];
  if (undeclared && undeclared !== 'refuse')
    yield ['output', `output.undeclared is '${undeclared}'.`, "Leave it out, or set it to 'refuse'."];
}

function* lacksIn(draft: AnyDraft): Generator<Lack> {
  const what = `${draft.kind} "${draft.name}"`;
  const { readOnlyHint, destructiveHint } = draft.annotations;
  const hidden = HiddenText.of(draft)?.options;
  if (hidden !== undefined && hidden !== 'drop')
    yield ['hidden', `The ${what} has @HiddenText('${hidden}').`, "Write 'drop', or remove it."];
  const undeclared = UndeclaredOutput.of(draft)?.options;
  if (undeclared !== undefined && undeclared !== 'refuse')
    yield ['output', `The ${what} has @UndeclaredOutput('${undeclared}').`, "Write 'refuse', or remove it."];
  if (factsOf(draft).hasHints && typeof readOnlyHint !== 'boolean' && typeof destructiveHint !== 'boolean')
    yield [
      'annotations',
      `The ${what} does not say whether it only reads or destroys something.`,
      'Add annotations: { readOnlyHint: true }, or { destructiveHint: true } or false.',
    ];
  if (!RequireScopes.of(draft)?.options.scopes.length)
    yield [
      'scopes',
      `The ${what} does not say which scopes it needs.`,
      "Add @RequireScopes('…') to the method or to its class.",
    ];
  if (Audit.of(draft)?.options === false)
    yield ['audit', `Calls of the ${what} are not recorded.`, 'Remove @Audit(false).'];
}
