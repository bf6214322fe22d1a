import {
  appPermissions,
  appSettingsOptions,
  cspLists,
  type AppSettings,
  type ToolUi,
} from '@toolwright/ground/base/app-settings';
import {
  type JsonSchema,
  didYouMean,
  isSensitive,
  referredSchema,
  sensitiveParts,
  visitKeywords,
  UriTemplate,
} from '@toolwright/json';

/** A problem as the end of a sentence, and its fix. */
interface AppProblem {
  what: string;
  fix: string;
}

/**
 * A scheme that a page can load over, a host (or all its subdomains), a port. Hosts copy this text into a
 * header, so a space or a semicolon would add sources or directives.
 */
const origin =
  /^(?:https?|wss?):\/\/(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::\d{1,5})?$/;

/** Finds settings that no host can turn into a Content Security Policy, a permission policy or a frame. */
export function findAppProblems({ csp, permissions, domain, prefersBorder }: AppSettings): AppProblem[] {
  return [
    ...findCspProblems(csp),
    ...findPermissionProblems(permissions),
    ...unless(domain === undefined || (typeof domain === 'string' && domain !== ''), {
      what: `its domain is ${JSON.stringify(domain)}`,
      fix: 'Write it in the form that the host documents, or leave it out.',
    }),
    ...unless(prefersBorder === undefined || typeof prefersBorder === 'boolean', {
      what: `prefersBorder is ${JSON.stringify(prefersBorder)}`,
      fix: 'Make it true or false, or leave it out.',
    }),
  ];
}

/** Finds problems of a tool's option `ui`, except its URI. */
export function findToolUiProblems({
  visibility = ['model'],
  resourceUri,
  view,
  sensitive: _,
  ...settings
}: ToolUi): AppProblem[] {
  const isKnown = Array.isArray(visibility) && visibility.every((each) => each === 'model' || each === 'app');
  const [setting] = Object.keys(settings);
  return [
    ...unless(isKnown && visibility.length > 0, {
      what: `its visibility is ${JSON.stringify(visibility)}`,
      fix: "List 'model', 'app' or both.",
    }),
    ...unless(view === undefined || resourceUri === undefined, {
      what: `it names the app "${resourceUri}" and the view "${view}"`,
      fix: 'Leave one of them out: an app is a page by hand, and a view is built.',
    }),
    ...unless(view !== undefined || setting === undefined || !(setting in appSettingsOptions), {
      what: `it has ${setting}, which is a setting of a page`,
      fix: 'Write it beside a view, or into @McpApp.',
    }),
    ...findAppProblems(settings),
  ];
}

/**
 * Finds what is marked sensitive and would reach a page that does not say that it shows it. A host hands arguments and
 * results to the page as they are, so nothing could be held back later.
 */
export function findSensitiveProblems(
  { resourceUri, view, sensitive = [] }: ToolUi,
  schemas: readonly (JsonSchema | undefined)[],
): AppProblem[] {
  const isList = Array.isArray(sensitive) && sensitive.every((name) => typeof name === 'string');
  if (!isList)
    return [{ what: `its list sensitive is ${JSON.stringify(sensitive)}`, fix: 'List names of properties.' }];
  if (resourceUri === undefined && view === undefined) return [];
  const missing = schemas
    .flatMap((schema) => (schema ? sensitiveNames(schema) : []))
    .filter((name, index, all) => !sensitive.includes(name) && all.indexOf(name) === index);
  if (missing.length === 0) return [];
  const names = missing.map((name) => `'${name}'`).join(', ');
  return [
    {
      what: `its page would get ${names}, which ${missing.length === 1 ? 'is' : 'are'} marked sensitive`,
      fix: `If the page may show it, write sensitive: [${names}] beside ${view === undefined ? 'resourceUri' : 'view'}. Otherwise leave it out of the tool.`,
    },
  ];
}

/** The names of the properties with the mark. What is marked without a name of its own is called "*". */
function sensitiveNames(schema: JsonSchema): string[] {
  if (!sensitiveParts(schema)) return [];
  const names: string[] = [];
  visitKeywords(schema, (keyword, value) => {
    if (keyword !== 'properties') return;
    for (const [name, part] of Object.entries(value as Record<string, JsonSchema>))
      if (isSensitive(part) || isSensitive(referredSchema(part, schema))) names.push(name);
  });
  return names.length > 0 ? names : ['*'];
}

function findCspProblems(csp: AppSettings['csp']): AppProblem[] {
  return Object.entries(csp ?? {}).flatMap(([list, origins]): AppProblem[] => {
    if (!(cspLists as readonly string[]).includes(list))
      return [
        {
          what: `its csp has an unknown list "${list}"`,
          fix: `There are ${cspLists.join(', ')}.${didYouMean(list, cspLists)}`,
        },
      ];
    const wrong = Array.isArray(origins) ? origins.filter((each) => !isOrigin(each)) : [origins];
    return wrong.map((each) => ({
      what: `${JSON.stringify(each)} in ${list} of its csp is no origin`,
      fix: 'List origins such as "https://api.example.com" or "https://*.example.com": no path, no keyword.',
    }));
  });
}

function isOrigin(value: unknown): boolean {
  return typeof value === 'string' && origin.test(value);
}

function findPermissionProblems(permissions: AppSettings['permissions']): AppProblem[] {
  return Object.entries(permissions ?? {}).flatMap(([name, value]): AppProblem[] => {
    const isKnown = (appPermissions as readonly string[]).includes(name);
    return unless(isKnown && typeof value === 'object' && value !== null, {
      what: `its permissions have ${name}: ${JSON.stringify(value)}`,
      fix: `Write { ${isKnown ? name : 'camera'}: {} }; there are ${appPermissions.join(', ')}.${isKnown ? '' : didYouMean(name, appPermissions)}`,
    });
  });
}

function unless(isRight: boolean, problem: AppProblem): AppProblem[] {
  return isRight ? [] : [problem];
}

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
