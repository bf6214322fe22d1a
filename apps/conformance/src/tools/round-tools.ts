import { McpService, McpTool, ToolContext } from '@toolwright/core';

const form = (name: string, type: string) => ({
  type: 'object',
  properties: { [name]: { type } },
  required: [name],
});
const question = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text', text } }],
});

/** Tools that take several round trips on 2026-07-28. */
@McpService()
export class RoundTools {
  /** Asks for a name. */
  @McpTool({
    name: 'test_input_required_result_elicitation',
    annotations: { readOnlyHint: false, destructiveHint: false },
  })
  async elicitation(ctx: ToolContext): Promise<string> {
    return `Hello, ${await askName(ctx)}!`;
  }

  /** Asks the client's model for a capital. */
  @McpTool({
    name: 'test_input_required_result_sampling',
    annotations: { readOnlyHint: false, destructiveHint: false },
  })
  async sampling(ctx: ToolContext): Promise<string> {
    const asked = question('What is the capital of France?');
    return JSON.stringify((await ctx.sample('capital_question', { ...asked, maxTokens: 100 })).content);
  }

  /** Asks for the client's root folders. */
  @McpTool({
    name: 'test_input_required_result_list_roots',
    annotations: { readOnlyHint: false, destructiveHint: false },
  })
  async listRoots(ctx: ToolContext): Promise<string> {
    return `Roots: ${(await ctx.roots('client_roots')).map(({ uri }) => uri).join(', ')}`;
  }

  /** Asks for a confirmation and gives out a state to come back with. */
  @McpTool({
    name: 'test_input_required_result_request_state',
    annotations: { readOnlyHint: false, destructiveHint: false },
  })
  async requestState(ctx: ToolContext): Promise<string> {
    await ctx.elicit('confirm', { message: 'Please confirm', schema: form('ok', 'boolean') });
    return 'state-ok';
  }

  /** Asks for a confirmation; a state that was changed on the way is refused. */
  @McpTool({
    name: 'test_input_required_result_tampered_state',
    annotations: { readOnlyHint: false, destructiveHint: false },
  })
  async tamperedState(ctx: ToolContext): Promise<string> {
    await ctx.elicit('confirm', { message: 'Please confirm', schema: form('ok', 'boolean') });
    return 'state-ok';
  }

  /** Asks the person, the model and for the roots at once. */
  @McpTool({
    name: 'test_input_required_result_multiple_inputs',
    annotations: { readOnlyHint: false, destructiveHint: false },
  })
  async multipleInputs(ctx: ToolContext): Promise<string> {
    const [name, greeting, roots] = await Promise.all([
      askName(ctx),
      ctx.sample('greeting', { ...question('Generate a greeting'), maxTokens: 50 }),
      ctx.roots('client_roots'),
    ]);
    return `${name}: ${JSON.stringify(greeting.content)} (${roots.length} roots)`;
  }

  /** Asks for a name, then for a colour. */
  @McpTool({
    name: 'test_input_required_result_multi_round',
    annotations: { readOnlyHint: false, destructiveHint: false },
  })
  async multiRound(ctx: ToolContext): Promise<string> {
    const first = await ctx.elicit<{ name: string }>('step1', {
      message: 'Step 1: What is your name?',
      schema: form('name', 'string'),
    });
    const second = await ctx.elicit<{ color: string }>('step2', {
      message: 'Step 2: What is your favorite color?',
      schema: form('color', 'string'),
    });
    return `${first.content?.name} likes ${second.content?.color}.`;
  }

  /** Asks only in ways that the client has declared. */
  @McpTool({
    name: 'test_input_required_result_capabilities',
    annotations: { readOnlyHint: false, destructiveHint: false },
  })
  async capabilities(ctx: ToolContext): Promise<string> {
    const { capabilities } = ctx.client;
    const asked: Promise<unknown>[] = [];
    if (capabilities['sampling']) {
      asked.push(ctx.sample('greeting', { ...question('Generate a greeting'), maxTokens: 50 }));
    }
    if (capabilities['elicitation']) asked.push(askName(ctx));
    await Promise.all(asked);
    return `Asked ${asked.length} questions.`;
  }
}

async function askName(ctx: ToolContext): Promise<string> {
  const answer = await ctx.elicit<{ name: string }>('user_name', {
    message: 'What is your name?',
    schema: form('name', 'string'),
  });
  return answer.content?.name ?? 'stranger';
}
