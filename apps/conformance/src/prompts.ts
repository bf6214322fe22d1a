import { CompletionProvider, embedded, image, McpPrompt, McpService, ToolContext } from '@toolwright/core';
import { PNG } from './samples.js';

/** The suite's prompts. */
@McpService()
export class Prompts {
  /** A prompt without arguments. */
  @McpPrompt({ name: 'test_simple_prompt' })
  simple(): string {
    return 'This is a simple prompt for testing.';
  }

  /**
   * A prompt with two arguments.
   * @param arg1 the first
   * @param arg2 the second
   */
  @McpPrompt({ name: 'test_prompt_with_arguments' })
  withArguments(
    @CompletionProvider({ values: ['test', 'testing', 'testValue1'] }) arg1: string,
    arg2: string,
  ): string {
    return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
  }

  /**
   * A prompt that carries a resource.
   * @param resourceUri URI of the resource
   */
  @McpPrompt({ name: 'test_prompt_with_embedded_resource' })
  withEmbeddedResource(resourceUri: string) {
    return [
      embedded({ uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' }),
      'Please process the embedded resource above.',
    ];
  }

  /** A prompt that carries an image. */
  @McpPrompt({ name: 'test_prompt_with_image' })
  withImage() {
    return [image(PNG, 'image/png'), 'Please analyze the image above.'];
  }

  /** A prompt that asks for its context first. */
  @McpPrompt({ name: 'test_input_required_result_prompt' })
  async inputRequired(ctx: ToolContext): Promise<string> {
    const schema = { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] };
    const answer = await ctx.elicit<{ context: string }>('user_context', {
      message: 'What context should the prompt use?',
      schema,
    });
    return `Use this context: ${answer.content?.context ?? 'none'}`;
  }
}
