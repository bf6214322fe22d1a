/** Whether a text can be the name of a header (RFC 9110, 5.6.2: a token). */
export const isHttpToken = (text: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(text);
