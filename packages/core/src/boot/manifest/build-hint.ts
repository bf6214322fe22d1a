/** The fix for every missing or stale manifest. */
export const BUILD =
  'Run `npx toolwright build` in the package of the class. In development, `toolwright dev` or ' +
  '`node --import @toolwright/cli/register` compile on the fly.';
