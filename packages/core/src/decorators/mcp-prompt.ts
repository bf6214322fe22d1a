import { type Icon, icons } from '@toolwright/ground/base/content';
import type { OptionSchema } from '@toolwright/ground/base/options/option-schema';
import { jsonObject, text } from '@toolwright/ground/base/options/rules';
import { recording, type ClassOrMethodDecorator } from './recording.js';

export interface McpPromptOptions {
  /** 1 to 64 characters of `A-Z a-z 0-9 _ . -`. Default: the method's name. */
  name?: string;
  title?: string;
  /** Default: the method's doc comment. */
  description?: string;
  icons?: Icon[];
  /** Published as `_meta`. */
  meta?: Record<string, unknown>;
}

export const mcpPromptOptions = {
  name: text,
  title: text,
  description: text,
  icons,
  meta: jsonObject,
} satisfies OptionSchema<McpPromptOptions>;

/**
 * Makes a method a prompt that a person can pick. The method's parameters are the prompt's arguments. What
 * the method returns becomes the messages; a string becomes one user message. On a class, the `invoke` method
 * is the prompt. See server/prompts of the specification.
 *
 * @example
 * @McpPrompt({ title: 'Summarise a page' }) summarise(pageId: string): string { return `Summarise the page
 * ${pageId}.`; }
 */
export function McpPrompt(options: McpPromptOptions = {}): ClassOrMethodDecorator {
  return recording({ kind: 'prompt', options, schema: mcpPromptOptions }, McpPrompt);
}
