import type { ElicitResult } from '@toolwright/core';
import type { Elicitation } from '@toolwright/testing';
import type { JsonSchema } from '@toolwright/manifest';
import type { Terminal } from '../terminal/terminal.js';

/** Puts a server's question to the person at the terminal, field by field; an empty answer takes the default. */
export async function askPerson(
  question: Elicitation,
  terminal: Required<Pick<Terminal, 'ask' | 'err'>>,
): Promise<ElicitResult> {
  terminal.err(question.message);
  if (question.mode === 'url') {
    terminal.err(`Open ${question.url}`);
    return { action: isYes(await terminal.ask('Done? [y/N] ')) ? 'accept' : 'decline' };
  }
  const { properties = {}, required = [] } = (question.requestedSchema ?? {}) as JsonSchema;
  if (Object.keys(properties).length === 0) {
    return isYes(await terminal.ask('Go on? [y/N] '))
      ? { action: 'accept', content: {} }
      : { action: 'decline' };
  }
  const content: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const value = readAnswer(await terminal.ask(promptFor(name, schema)), schema);
    if (value !== undefined) content[name] = value;
    else if (required.includes(name)) return { action: 'cancel' };
  }
  return { action: 'accept', content };
}

function promptFor(name: string, schema: JsonSchema): string {
  const choices = schema.type === 'boolean' ? 'y/n' : choicesOf(schema).join('/');
  const hints = [choices, schema.default === undefined ? '' : `default ${String(schema.default)}`].filter(
    Boolean,
  );
  return `${schema.title ?? name}${hints.length > 0 ? ` (${hints.join(', ')})` : ''}: `;
}

function choicesOf(schema: JsonSchema): unknown[] {
  if (typeof schema.items === 'object') return choicesOf(schema.items);
  return schema.enum ?? (schema.oneOf ?? schema.anyOf ?? []).map((option) => option.const);
}

/** Undefined where nothing was answered and there is no default. */
function readAnswer(text: string, schema: JsonSchema): unknown {
  if (text === '') return schema.default;
  if (schema.type === 'boolean') return isYes(text);
  if (schema.type === 'integer' || schema.type === 'number') return Number(text);
  return schema.type === 'array' ? text.split(',').map((item) => item.trim()) : text;
}

const isYes = (text: string) => /^(y|yes|true)$/i.test(text.trim());
