import { McpService, McpTool, ToolContext, type ElicitResult } from '@toolwright/core';

const account = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
};

const defaults = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'User name', default: 'John Doe' },
    age: { type: 'integer', description: 'User age', default: 30 },
    score: { type: 'number', description: 'User score', default: 95.5 },
    status: {
      type: 'string',
      description: 'User status',
      enum: ['active', 'inactive', 'pending'],
      default: 'active',
    },
    verified: { type: 'boolean', description: 'Verification status', default: true },
  },
};

const titled = (label: string) =>
  ['First', 'Second', 'Third'].map((ordinal, index) => ({
    const: `value${index + 1}`,
    title: `${ordinal} ${label}`,
  }));

const choices = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  },
};

/** Tools that ask the person or the model behind the client. */
@McpService()
export class ElicitationTools {
  /**
   * Asks the client's model.
   * @param prompt what to ask it
   */
  @McpTool({ name: 'test_sampling', annotations: { readOnlyHint: false, destructiveHint: false } })
  async sampling(prompt: string, ctx: ToolContext): Promise<string> {
    return `LLM response: ${await askModel(ctx, prompt)}`;
  }

  /** Needs a client that lets its model be asked. */
  @McpTool({ name: 'test_missing_capability', annotations: { readOnlyHint: false, destructiveHint: false } })
  async missingCapability(ctx: ToolContext): Promise<string> {
    return `LLM response: ${await askModel(ctx, 'Say hello.')}`;
  }

  /**
   * Asks for an account.
   * @param message what to show
   */
  @McpTool({ name: 'test_elicitation', annotations: { readOnlyHint: false, destructiveHint: false } })
  async elicitation(message: string, ctx: ToolContext): Promise<string> {
    return `User response: ${describe(await ctx.elicit('account', { message, schema: account }))}`;
  }

  /** Asks for a form with a default for each kind of field. */
  @McpTool({
    name: 'test_elicitation_sep1034_defaults',
    annotations: { readOnlyHint: false, destructiveHint: false },
  })
  async elicitationDefaults(ctx: ToolContext): Promise<string> {
    const answer = await ctx.elicit('profile', { message: 'Please review your profile', schema: defaults });
    return `Elicitation completed: ${describe(answer)}`;
  }

  /** Asks for a form with each kind of choice. */
  @McpTool({
    name: 'test_elicitation_sep1330_enums',
    annotations: { readOnlyHint: false, destructiveHint: false },
  })
  async elicitationEnums(ctx: ToolContext): Promise<string> {
    const answer = await ctx.elicit('choices', { message: 'Please choose', schema: choices });
    return `Elicitation completed: ${describe(answer)}`;
  }

  /** Asks for a name, which never becomes a request on the response's stream. */
  @McpTool({
    name: 'test_streaming_elicitation',
    annotations: { readOnlyHint: false, destructiveHint: false },
  })
  async streamingElicitation(ctx: ToolContext): Promise<string> {
    ctx.log.info('About to ask');
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    return `User response: ${describe(await ctx.elicit('name', { message: 'What is your name?', schema }))}`;
  }
}

async function askModel(ctx: ToolContext, prompt: string): Promise<string> {
  const messages = [{ role: 'user' as const, content: { type: 'text', text: prompt } }];
  const { content } = await ctx.sample('prompt', { messages, maxTokens: 100 });
  const { text } = content as { text?: string };
  return text ?? JSON.stringify(content);
}

function describe({ action, content }: ElicitResult): string {
  return `action=${action}, content=${JSON.stringify(content ?? {})}`;
}
