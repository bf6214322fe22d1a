import type { ApiRequest } from './api-request.js';
import { apiError } from './api-errors.js';
import { StyledValue } from './styled-value.js';
import { isJson } from '../model/media-types.js';
import { fillPlaces } from '../model/path-places.js';
import { withoutSlashes } from '../model/servers.js';
import { writeMultipart } from './write-multipart.js';
import {
  encode,
  jsonOf,
  type Pair,
  textOf,
  writeForm,
  writeHeader,
  writePath,
  writeQuery,
} from './write-value.js';

/** A request as `fetch` takes it. */
export interface BuiltRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array | undefined;
}

/**
 * Writes the URL, the headers and the body of a request.
 *
 * @throws {ToolError} if an argument would change the path, or cannot be sent
 */
export function buildRequest(baseUrl: string, request: ApiRequest): BuiltRequest {
  const headers = headersOf(request);
  return {
    url: urlOf(baseUrl, request),
    method: request.method.toUpperCase(),
    headers,
    body: bodyOf(request, headers),
  };
}

/** `GET /pets/{petId}`, for messages. It has no values, which may be secrets. */
export const nameOf = ({ method, path }: ApiRequest) => `${method.toUpperCase()} ${path}`;

function urlOf(baseUrl: string, request: ApiRequest): URL {
  const { path, params = {}, query = {} } = request;
  const written = fillPlaces(path, (place) => {
    const name = Object.hasOwn(params, place.written) ? place.written : place.name;
    const given = params[name];
    const value = given instanceof StyledValue ? given.value : given;
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    if (value === undefined || value === null || value === '' || isEmpty)
      throw refused(request, name, 'it is empty');
    if (hasHalves(value)) throw refused(request, name, 'it has half of a character');
    if (!place.hasSteps || name !== place.name) return writePath(name, given);
    if (!place.accepts(textOf(value)))
      throw refused(request, name, `it does not have the form of ${place.written}`);
    return textOf(value).split('/').map(encode).join('/');
  });
  // A value of `..` would lead to another operation.
  const [steps = ''] = written.split(/[?#]/);
  if (steps.split('/').some((step) => /^(?:\.|%2e){1,2}$/i.test(step)))
    throw refused(request, Object.keys(params).join(', '), 'it changes the path');
  const base = new URL(baseUrl);
  const url = new URL(base.origin + (base.pathname === '/' ? '' : withoutSlashes(base.pathname)) + written);
  const pairs = Object.entries(query).flatMap(([name, value]) => writeQuery(name, value));
  // The address may have a query itself, such as the version of an API.
  url.search = [base.search.slice(1), url.search.slice(1), joined(pairs)].filter(Boolean).join('&');
  return url;
}

/** In a path such a text names a thing, and with U+FFFD in its place it could be the name of another one. */
const hasHalves = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flat().some(hasHalves)
    : /\p{Surrogate}/u.test(String(value));

const joined = (pairs: readonly Pair[]) => pairs.map(([name, value]) => `${name}=${value}`).join('&');

function refused(request: ApiRequest, name: string, reason: string) {
  return apiError('TW_OPENAPI_REQUEST', `${nameOf(request)} cannot be called with this ${name}: ${reason}.`);
}

function headersOf(request: ApiRequest): Headers {
  const headers = new Headers({ accept: 'application/json, text/*;q=0.8, */*;q=0.1' });
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const text = writeHeader(value);
    if (text === undefined) continue;
    if (/[^\t\x20-\x7e\x80-\xff]/.test(text))
      throw refused(request, name, 'a header cannot have these characters');
    try {
      headers.set(name, text);
    } catch {
      throw refused(request, name, 'no header can have this name');
    }
  }
  const cookies = Object.entries(request.cookies ?? {}).flatMap(([name, value]) => writeQuery(name, value));
  if (cookies.length > 0)
    headers.set('cookie', cookies.map(([name, value]) => `${name}=${value}`).join('; '));
  return headers;
}

function bodyOf(request: ApiRequest, headers: Headers): BuiltRequest['body'] {
  const { body, contentType, form, multipart, parts } = request;
  if (form) {
    headers.set('content-type', 'application/x-www-form-urlencoded');
    return joined(Object.entries(form).flatMap(([name, value]) => writeForm(name, value)));
  }
  if (multipart) {
    const written = writeMultipart(multipart, parts, contentType);
    headers.set('content-type', written.contentType);
    return written.body;
  }
  if (body === undefined) return undefined;
  headers.set('content-type', contentType ?? 'application/json');
  if (contentType === undefined || isJson(contentType)) return jsonOf(body);
  return body instanceof Uint8Array ? body : textOf(body);
}
