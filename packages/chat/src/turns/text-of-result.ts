import { cutText, isObject } from '@toolwright/json';
import { chatLimits } from '../chat-limits.js';

type Json = Readonly<Record<string, unknown>>;

/** The result of a tool as a model reads it. It gets text, and learns of pictures and sounds that there is one. */
export function textOfResult({ content, structuredContent, isError }: Json): string {
  const blocks = Array.isArray(content) ? (content as unknown[]).filter(isObject) : [];
  const said = blocks.map(textOfBlock).join('\n');
  const text = said === '' && structuredContent !== undefined ? JSON.stringify(structuredContent) : said;
  return bounded(isError === true ? `Error: ${text}` : text || 'The tool has returned nothing.');
}

function textOfBlock(block: Json): string {
  const { type, text, mimeType, data, uri, resource } = block;
  if (typeof text === 'string') return text;
  if (isObject(resource))
    return typeof resource['text'] === 'string' ? resource['text'] : `[${String(resource['uri'])}]`;
  if (typeof uri === 'string') return `[${uri}]`;
  const size = typeof data === 'string' ? `, ${data.length} characters of base64` : '';
  return `[${String(type)} ${String(mimeType ?? '')}${size}: it is shown to the person only]`;
}

/** A result that is too long is cut, and says so. */
export function bounded(text: string): string {
  const more = text.length - chatLimits.result;
  return cutText(text, chatLimits.result, `\n[${more} more characters were left out here]`);
}
