import type { IncomingMessage } from 'node:http';
import { isForm } from '../pages/read-form.js';

/** The header has the id as a form has it (RFC 6749, section 2.3.1). */
const FORM_TEXT = /^[\w.~%+*-]{1,2000}$/;
const BASIC = /^basic +([a-z0-9+/]+=*)$/i;
/** The longest header that is read, in characters. */
const LONGEST = 4_000;

/**
 * Some clients have no secret, and show who they are by the header `Authorization` nevertheless, with an empty secret. RFC 6749
 * (section 2.3.1) lets a client leave out a secret that is empty, but oidc-provider refuses one that is not left out. So the id
 * goes into the form, where a client without a secret has it. One that has a secret is refused there, because it does not show it.
 */
export function readEmptySecret(req: IncomingMessage): void {
  const { authorization = '' } = req.headers;
  const [, encoded] = (authorization.length <= LONGEST && BASIC.exec(authorization)) || [];
  // What an application has read before cannot be read again.
  if (encoded === undefined || !isForm(req) || !req.readable) return;
  const [id = '', secret, ...others] = Buffer.from(encoded, 'base64').toString().split(':');
  if (secret !== '' || others.length > 0 || !FORM_TEXT.test(id)) return;
  const before = Buffer.from(`client_id=${id}&`);
  delete req.headers.authorization;
  const { 'content-length': length } = req.headers;
  if (length !== undefined) req.headers['content-length'] = String(Number(length) + before.length);
  req.unshift(before);
}
