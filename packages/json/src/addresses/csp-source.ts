/**
 * Whether a value is a source of a content security policy that names an origin: perhaps with a wildcard for subdomains or the
 * port, and with a path. No keyword is one, and nothing that could end a directive.
 */
export const isCspSource = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^(https?|wss?):\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:(\d{1,5}|\*))?(\/[\w./~%-]*)?$/i.test(value);
