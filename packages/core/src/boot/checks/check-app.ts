import { didYouMean } from '@toolwright/json';
import { appPermissions, cspLists, type AppSettings, type ToolUi } from '../../base/app-settings.js';

/** A problem as the end of a sentence, and its fix. */
export interface AppProblem {
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
export function findToolUiProblems({ visibility }: ToolUi): AppProblem[] {
  if (visibility === undefined) return [];
  const isKnown = Array.isArray(visibility) && visibility.every((each) => each === 'model' || each === 'app');
  return unless(isKnown && visibility.length > 0, {
    what: `its visibility is ${JSON.stringify(visibility)}`,
    fix: "List 'model', 'app' or both.",
  });
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
