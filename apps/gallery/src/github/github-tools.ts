import {
  Audit,
  Confirm,
  type integer,
  McpService,
  McpTool,
  RateLimit,
  RequireScopes,
  ToolContext,
} from '@toolwright/core';
import { explainFailure } from './explain-failure.js';
import { GithubClient } from './github-client.js';

export interface CreatedIssue {
  number: integer;
  /** For people. */
  url: string;
}

/** What leaves the house: only for callers who may, only after the person agreed, and on record. */
@McpService()
export class GithubTools {
  constructor(private readonly github: GithubClient) {}

  /**
   * Create an issue in the project's GitHub repository, for everybody to see. The person behind the client is asked
   * first. Returns the issue's number and URL. Called twice, it creates two.
   * @param title one line
   * @param body the text, in Markdown
   * @param labels names of labels that the repository has
   */
  @McpTool({ name: 'github_create_issue', annotations: { destructiveHint: false, openWorldHint: true } })
  @RequireScopes('issues:write')
  @RateLimit({ points: 10, per: '1h', cost: 1 })
  @Confirm(({ title }: { title: string }) => `Create the issue ${JSON.stringify(title)} on GitHub?`)
  @Audit({ mode: 'strict', include: ['title', 'labels'] })
  async createIssue(
    /** @minLength 1 @maxLength 256 @pattern ^\S.*$ */ title: string,
    ctx: ToolContext,
    /** @maxLength 65536 */ body: string = '',
    /** @maxItems 20 @uniqueItems true */ labels: string[] = [],
  ): Promise<CreatedIssue> {
    try {
      return await this.github.createIssue({ title, body, labels }, ctx.signal);
    } catch (error) {
      throw explainFailure(error);
    }
  }
}
