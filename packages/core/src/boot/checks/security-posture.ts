import { factsOf } from '../../base/operation-kinds.js';
import { HiddenText } from '../../policies/output/guard-output.js';
import { Audit } from '../../policies/audit/audit.js';
import { UndeclaredOutput } from '../../policies/output/undeclared-output.js';
import { RequireScopes } from '../../policies/authorize.js';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { locationOf, type AnyDraft } from '../../call/operation/draft.js';
import { type SecurityPart, type ServerOptions, securityParts } from '../options/server-options.js';

/** What a server refuses under strict security, at boot or at run time, and would otherwise accept. */
export class SecurityPosture {
  readonly #parts: ReadonlySet<SecurityPart>;

  constructor(private readonly options: ServerOptions) {
    const { security } = options;
    const relaxed = (typeof security === 'object' && security.relax) || [];
    this.#parts = new Set(security ? securityParts.filter((part) => !relaxed.includes(part)) : []);
  }

  demands(part: SecurityPart): boolean {
    return this.#parts.has(part);
  }

  /** How strict security treats output if the options do not say it. */
  get output(): ServerOptions['output'] {
    return {
      ...(this.demands('hidden') && { hidden: 'drop' as const }),
      ...(this.demands('output') && { undeclared: 'refuse' as const }),
      ...this.options.output,
    };
  }

  /** The problems of the options. */
  findOptionProblems(): ConfigurationProblem[] {
    const { audit, output } = this.options;
    const problems: ConfigurationProblem[] = [];
    if (this.demands('audit') && !audit)
      problems.push(
        problem('audit', 'No call is recorded: "audit" is not set.', "Set audit: { file: '…' }."),
      );
    if (this.demands('hidden') && output?.hidden && output.hidden !== 'drop')
      problems.push(
        problem('hidden', `output.hidden is '${output.hidden}'.`, "Leave it out, or set it to 'drop'."),
      );
    if (this.demands('output') && output?.undeclared && output.undeclared !== 'refuse')
      problems.push(
        problem(
          'output',
          `output.undeclared is '${output.undeclared}'.`,
          "Leave it out, or set it to 'refuse'.",
        ),
      );
    return problems;
  }

  /** What an operation must declare under strict security, but does not. */
  findProblems(draft: AnyDraft): ConfigurationProblem[] {
    if (this.#parts.size === 0) return [];
    const { kind, name, annotations } = draft;
    const problems: ConfigurationProblem[] = [];
    const report = (part: SecurityPart, message: string, fix: string) => {
      if (this.demands(part)) problems.push({ ...problem(part, message, fix), ...locationOf(draft) });
    };
    const hidden = HiddenText.of(draft)?.options;
    if (hidden !== undefined && hidden !== 'drop')
      report('hidden', `The ${kind} "${name}" has @HiddenText('${hidden}').`, "Write 'drop', or remove it.");
    const undeclared = UndeclaredOutput.of(draft)?.options;
    if (undeclared !== undefined && undeclared !== 'refuse')
      report(
        'output',
        `The ${kind} "${name}" has @UndeclaredOutput('${undeclared}').`,
        "Write 'refuse', or remove it.",
      );
    const { readOnlyHint, destructiveHint } = annotations;
    if (factsOf(draft).hasHints && typeof readOnlyHint !== 'boolean' && typeof destructiveHint !== 'boolean')
      report(
        'annotations',
        `The ${kind} "${name}" does not say whether it only reads or destroys something.`,
        'Add annotations: { readOnlyHint: true }, or { destructiveHint: true } or false.',
      );
    if (!RequireScopes.of(draft)?.options.scopes.length)
      report(
        'scopes',
        `The ${kind} "${name}" does not say which scopes it needs.`,
        "Add @RequireScopes('…') to the method or to its class.",
      );
    if (Audit.of(draft)?.options === false)
      report('audit', `Calls of the ${kind} "${name}" are not recorded.`, 'Remove @Audit(false).');
    return problems;
  }
}

function problem(part: SecurityPart, message: string, fix: string): ConfigurationProblem {
  return {
    code: 'TW_SECURITY_STRICT',
    message: `security: 'strict' does not allow this: ${message}`,
    fix: `${fix} Or relax this part: security: { mode: 'strict', relax: ['${part}'] }.`,
  };
}
