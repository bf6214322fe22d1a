import type { ManifestParameter } from '@toolwright/manifest';

/**
 * Whether a call leaves out the parameter that is the whole input, so that its own default applies. Arguments with
 * parameters of their own do not count. Undefined for methods that take what is there.
 */
export function leavesOutWhole(
  parameters: readonly ManifestParameter[] = [],
): ((args: object) => boolean) | undefined {
  const whole = parameters.find(({ kind }) => kind === 'input');
  if (!whole?.ownDefault) return undefined;
  const others = new Set(parameters.filter((each) => each !== whole).map(({ name }) => name));
  return (args) => Object.keys(args).every((name) => others.has(name));
}
