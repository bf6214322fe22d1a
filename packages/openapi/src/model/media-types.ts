/** What the media types of a specification mean. They are compared without regard to capitals (RFC 9110, 8.3.1). */

/** Also a pattern that JSON fits, such as `application/*+json`. */
export const isJson = (type: string) =>
  /^application\/(?:[\w.+*-]+\+)?json\s*(?:;|$)|^text\/json\s*(?:;|$)|^(?:\*|application)\/\*/i.test(type);

/** The type of a body that names none. `application/json-patch+json` begins alike and is another type. */
export const isPlainJson = (type: string) => /^application\/json$/i.test(type);

/** A value of JSON on each line. */
export const isJsonLines = (type: string) =>
  /^application\/(?:x-)?(?:ndjson|jsonl|json-?lines|json-seq|stream\+json)\s*(?:;|$)/i.test(type);

export const isForm = (type: string) => /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type);
export const isMultipart = (type: string) => /^multipart\//i.test(type);
/** The usual one. Others, such as `multipart/related`, are named in the request. */
export const isFormData = (type: string) => /^multipart\/form-data$/i.test(type);
export const isText = (type: string) => isJsonLines(type) || /^text\/|[/+]xml\b|yaml/i.test(type);

/** What no text can be. */
export const isFile = (type: string) => /^(?:image|audio|video)\/|octet-stream|\bpdf\b|\bzip\b/i.test(type);

/** A type that can be sent: the first of a list that is not a pattern. */
export const concreteType = (types: string): string | undefined =>
  types
    .split(',')
    .map((type) => type.trim())
    .find((type) => type !== '' && !type.includes('*'));

const usual = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
  multipart: 'multipart/form-data',
  binary: 'application/octet-stream',
} as const;

/**
 * The type that a body is sent with: its parameters, such as `version=2`, are a part of it. The client knows the characters
 * and the boundary itself.
 */
export const sentType = (type: string, kind: keyof typeof usual): string =>
  concreteType(type)
    ?.replace(/;\s*(?:charset|boundary)=[^;]*/gi, '')
    .trim() ?? usual[kind];
