import { McpService, McpTool, RequireScopes, ToolContext, ToolError } from '@toolwright/core';
import { apiUrl } from './connections.js';

/** Calls another API with a token that the user has granted. */
@McpService()
export class AccountTools {
  /** Show what the other API knows about the user. */
  @RequireScopes('notes:read')
  @McpTool({ name: 'show_account', annotations: { readOnlyHint: true, openWorldHint: true } })
  async showAccount(ctx: ToolContext): Promise<string> {
    const api = apiUrl(process.env);
    if (!api) throw new ToolError('This server calls no other API: its operator has not set API_URL.');
    if (!ctx.principal?.issuer)
      throw new ToolError('Only users who have signed in over HTTP have an account.');
    // At the first call the user signs in there, on a page of this server. Later calls use what the server keeps.
    const token = await ctx.tokenFor(api);
    const answer = await fetch(api, { headers: { authorization: `Bearer ${token}` }, signal: ctx.signal });
    if (!answer.ok) throw new ToolError(`The other API answers with ${answer.status}.`);
    return answer.text();
  }
}
