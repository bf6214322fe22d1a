import { DEEPEST } from './messages.js';

const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, QUOTE, BACKSLASH] = Buffer.from('{}[]"\\');

/** Whether a text of JSON is nested too deeply for what goes over values level by level. */
export function isTooDeep(json: string): boolean {
  // Each level has two characters at least.
  if (json.length < 2 * DEEPEST) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (isText && code === BACKSLASH) at++;
    else if (code === QUOTE) isText = !isText;
    else if (isText) continue;
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (++depth > DEEPEST) return true;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth--;
  }
  return false;
}
