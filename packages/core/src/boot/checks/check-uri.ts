import { UriTemplate } from '@toolwright/json';

/** RFC 3986: a scheme, and no characters that a URI cannot contain. A space, as in names of files, is found as `%20`, too. */
const absolute = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`](?: *[^\s<>"{}|\\^`])*$/;

/** Says what is wrong with the URI of a resource. That it is a text is a rule of the options. */
export function findUriProblem(uri: unknown): string | undefined {
  return typeof uri !== 'string' || absolute.test(uri) ? undefined : `"${uri}" is not an absolute URI`;
}

/** Says what is wrong with the URI of an app. */
export function findAppUriProblem(uri: unknown): string | undefined {
  if (typeof uri !== 'string') return undefined;
  return findUriProblem(uri) ?? (/^ui:\/\/./.test(uri) ? undefined : `"${uri}" is no ui:// URI`);
}

/**
 * Says what is wrong with a URI template.
 *
 * @param inputs the arguments that its variables become, and which of them are required; undefined if this is
 * unknown
 */
export function findTemplateProblem(
  uriTemplate: unknown,
  inputs: { known: readonly string[]; required: readonly string[] } | undefined,
): string | undefined {
  if (typeof uriTemplate !== 'string') return undefined;
  let variables: readonly string[];
  try {
    ({ variables } = new UriTemplate(uriTemplate));
  } catch (error) {
    return (error as Error).message.replace(/\.$/, '');
  }
  if (!inputs) return undefined;
  const unused = variables.find((variable) => !inputs.known.includes(variable));
  if (unused !== undefined) return `its variable "${unused}" is no parameter of the method`;
  const unset = inputs.required.find((name) => !variables.includes(name));
  return unset === undefined ? undefined : `the parameter "${unset}" is no variable of it`;
}
