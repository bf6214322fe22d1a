import { hasCredentials, readUrl } from '@toolwright/json';
import { ChatError } from '../chat-error.js';

/** Which model answers, and where. */
export interface ChatSettings {
  /** The address of `/chat/completions`, with its query. */
  readonly url: string;
  readonly model: string;
  /** Sent to this address only. */
  readonly key?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads which model answers: `TOOLWRIGHT_CHAT_URL`, `TOOLWRIGHT_CHAT_MODEL` and, where the address asks for one,
 * `TOOLWRIGHT_CHAT_KEY`.
 *
 * @throws {ChatError} TW_CHAT_OFF, with what to set
 */
export function readChatSettings(environment: Environment): ChatSettings {
  const { url, model, key } = {
    url: filled(environment['TOOLWRIGHT_CHAT_URL']),
    model: filled(environment['TOOLWRIGHT_CHAT_MODEL']),
    key: filled(environment['TOOLWRIGHT_CHAT_KEY']),
  };
  const missing = [...(url ? [] : ['TOOLWRIGHT_CHAT_URL']), ...(model ? [] : ['TOOLWRIGHT_CHAT_MODEL'])];
  if (!url || !model)
    throw off(
      `Set ${missing.join(' and ')} in the environment of the server, and start it again. ` +
        'Any address with /chat/completions does, such as http://localhost:11434/v1; TOOLWRIGHT_CHAT_KEY is its key.',
    );
  // What a header cannot carry would stand in the message of the error.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw off('TOOLWRIGHT_CHAT_KEY has a space, a line end or a letter that no key has. Set the key alone.');
  return { url: completionsOf(url), model, ...(key !== undefined && { key }) };
}

const filled = (value: string | undefined) => value?.trim() || undefined;

const off = (message: string) => new ChatError('TW_CHAT_OFF', message);

/** People write the address of a server, of its version, or of the method itself. */
function completionsOf(text: string): string {
  const url = readUrl(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw off('TOOLWRIGHT_CHAT_URL is not an address that begins with http:// or https://.');
  if (hasCredentials(url))
    throw off('TOOLWRIGHT_CHAT_URL has a user or a password. Set the key as TOOLWRIGHT_CHAT_KEY.');
  const path = url.pathname.replace(/\/$/, '');
  if (path === '') url.pathname = '/v1/chat/completions';
  else if (!path.endsWith('/chat/completions')) url.pathname = `${path}/chat/completions`;
  url.hash = '';
  return url.href;
}

/** The header that carries the key. Azure has one of its own. */
export function keyHeader({ url, key }: ChatSettings): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  return new URL(url).hostname.endsWith('.azure.com')
    ? { 'api-key': key }
    : { authorization: `Bearer ${key}` };
}
