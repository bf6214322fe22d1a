import { readUrl } from '../addresses/read-url.js';
import { wordsOf } from './words-of.js';

const NAME =
  /(?:^|_)(?:api_?key|key|token|secret|passw(?:or)?d|passphrase|pwd|credentials?|auth(?:orization)?|cookie|dsn|private)(?:$|_)/;
/** Tokens that say themselves what they are: of OpenAI, GitHub, GitLab, Slack, AWS, Google, Stripe, npm; JWT and PEM. */
const VALUE =
  /^(?:Bearer\s|Basic\s|sk-|sk_|rk_|pk_live|gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|ya29\.|npm_|eyJ[\w-]+\.|-----BEGIN )/;
/** Long texts of the alphabet of keys, with digits and letters. */
const RANDOM = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+/_=-]{32,}$/;

/** True for a value that should not stand in a file: its name says so, or its form, or a password in its URL. */
export function looksSecret(name: string, value: string): boolean {
  if (value === '') return false;
  return (
    (NAME.test(wordsOf(name).join('_')) && !/^(?:true|false|\d{1,6})$/i.test(value)) || isSecretText(value)
  );
}

/** True for a text with the form of a token, or a URL with a password or token. */
export function isSecretText(text: string): boolean {
  if (VALUE.test(text) || RANDOM.test(text)) return true;
  const url = readUrl(text);
  if (url === undefined) return false;
  const { password, searchParams } = url;
  return password !== '' || [...searchParams].some(([name, value]) => looksSecret(name, value));
}
