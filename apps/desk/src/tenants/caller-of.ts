import { type Principal, type ToolContext, ToolError } from '@toolwright/core';

/** Who calls, and for which tenant. */
export interface Caller {
  readonly tenant: string;
  readonly subject: string;
}

/** The caller of a tool. Scopes and the claim `org` have been checked before a tool runs. */
export function callerOf({ principal }: ToolContext): Caller {
  return agentOf(principal);
}

/** @throws {ToolError} for somebody who works for no tenant */
export function agentOf(principal: Principal | undefined): Caller {
  if (principal?.tenant === undefined)
    throw new ToolError('This tool is for users of a tenant. Sign in first.');
  return { tenant: principal.tenant, subject: principal.subject };
}
