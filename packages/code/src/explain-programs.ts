import { type BoundTool, Confirm, type Principal, RequireScopes } from '@toolwright/core';
import type { ExplainedPrograms } from '@toolwright/core/operate';
import { isFor } from '@toolwright/json';
import type { CodeSettings } from './code-options.js';

interface ExplainRequest {
  readonly server: { readonly tools: { list(): readonly BoundTool[] } };
  readonly settings: CodeSettings;
  /** The principal, as an operator names it. `undefined`: an anonymous caller. */
  readonly caller: unknown;
  /** Why no program calls a tool. */
  refuses(tool: BoundTool): string | undefined;
}

export function explainPrograms({ server, settings, caller, refuses }: ExplainRequest): ExplainedPrograms {
  const { calls, time, memory, result } = settings.limits;
  const callable: ExplainedPrograms['tools'][number][] = [];
  const refused: { name: string; reason: string }[] = [];
  for (const tool of server.tools.list()) {
    // The application has not written the tools of the search, nor those of this package.
    if (tool.extra?.origin?.startsWith('@toolwright/')) continue;
    const { name, annotations, outputSchema } = tool;
    const reason = refusalFor(tool, caller as Principal | undefined) ?? refuses(tool);
    if (reason !== undefined) refused.push({ name, reason });
    else
      callable.push({
        name,
        reads: annotations.readOnlyHint === true,
        confirms: Confirm.of(tool) !== undefined,
        isText: outputSchema === undefined,
      });
  }
  const limits = { calls, time, memory, result, programs: settings.programs };
  return { limits, tools: callable, refused };
}

function refusalFor(tool: BoundTool, caller: Principal | undefined): string | undefined {
  if (!isFor(tool, caller)) return 'It is for other callers: the option "for" of the tool says no.';
  const scopes = RequireScopes.of(tool)?.options.scopes ?? [];
  const missing = scopes.filter((scope) => !caller?.scopes.includes(scope));
  return missing.length > 0 ? `The caller lacks the scope ${missing.join(' ')}.` : undefined;
}
