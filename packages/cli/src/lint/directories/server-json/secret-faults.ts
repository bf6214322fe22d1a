import { looksSecret } from '../../../secrets/looks-secret.js';
import { isObject, isText, listOf, type Json } from './values.js';

const LISTS = ['environmentVariables', 'runtimeArguments', 'packageArguments'];

/** Everybody can read what the registry has. The message does not repeat the value. */
export function secretFaults({ packages, remotes }: Json): string[] {
  const inputs = [
    ...listOf(packages).flatMap((one) => [...LISTS.flatMap((list) => listOf(one[list])), ...headersOf(one)]),
    ...listOf(remotes).flatMap(({ headers, variables }) => [...listOf(headers), ...named(variables)]),
  ].flatMap((input) => [input, ...named(input['variables'])]);
  return inputs
    .filter(hasSecret)
    .map(nameOf)
    .map((name) => `${name} has a value that looks like a secret. Leave it out, and set isSecret: true.`);
}

/** A name such as API_KEY whose value people must give. */
export function unmarkedSecretFaults({ packages }: Json): string[] {
  return listOf(packages)
    .flatMap((one) => listOf(one['environmentVariables']))
    .filter((input) => input['isSecret'] !== true && input['value'] === undefined)
    .filter((input) => input['default'] === undefined && looksSecret(nameOf(input), 'a value of a person'))
    .map((input) => `${nameOf(input)} sounds like a secret: set isSecret: true, so that hosts keep it safe.`);
}

const headersOf = ({ transport }: Json) => listOf(isObject(transport) ? transport['headers'] : undefined);

const named = (variables: unknown): Json[] =>
  Object.entries(isObject(variables) ? variables : {}).flatMap(([name, input]) =>
    isObject(input) ? [{ name, ...input }] : [],
  );

const nameOf = (input: Json) => String(input['name'] ?? input['valueHint'] ?? 'an argument');

/** A text in braces is filled in by the person. */
const hasSecret = (input: Json) =>
  [input['value'], input['default']].some(
    (value) => isText(value) && !/\{[^}]+\}/.test(value) && looksSecret(nameOf(input), value),
  );
