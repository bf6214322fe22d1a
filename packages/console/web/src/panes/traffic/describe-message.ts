/** What a JSON-RPC message is. `other`: a batch, or what could not be read. */
export type MessageKind = 'request' | 'notification' | 'result' | 'error' | 'other';

export interface DescribedMessage {
  readonly kind: MessageKind;
  readonly method?: string;
  /** The id as JSON: `1` and `"1"` are different ids. */
  readonly id?: string;
  /** What the message is about, in a few words: the tool, the URI, the text of an error. */
  readonly about?: string;
  readonly hasFailed: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

export function describeMessage(message: unknown): DescribedMessage {
  if (!isFields(message)) return { kind: 'other', hasFailed: false };
  const { method, id, params, result, error } = message;
  const known = id === undefined || id === null ? {} : { id: JSON.stringify(id) };
  if (typeof method === 'string') {
    const about = aboutParams(isFields(params) ? params : {});
    const kind = 'id' in known ? 'request' : 'notification';
    return { kind, method, ...known, hasFailed: false, ...(about !== undefined && { about }) };
  }
  if (error !== undefined) {
    const { code, message: text } = isFields(error) ? error : {};
    return {
      kind: 'error',
      ...known,
      about: `${shortText(code)} ${shortText(text)}`.trim(),
      hasFailed: true,
    };
  }
  if (result === undefined) return { kind: 'other', ...known, hasFailed: false };
  const { isError, resultType } = isFields(result) ? result : {};
  const about = isError === true ? 'isError' : typeof resultType === 'string' ? resultType : undefined;
  return { kind: 'result', ...known, hasFailed: isError === true, ...(about !== undefined && { about }) };
}

/** The parameters that name something, the most telling first. */
const telling = ['name', 'uri', 'taskId', 'requestId', 'level', 'message', 'protocolVersion'];

function aboutParams(params: Fields): string | undefined {
  const key = telling.find((each) => ['string', 'number'].includes(typeof params[each]));
  return key && shortText(params[key]);
}

function shortText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : '';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
