/** Verbs of tools that change nothing. */
const reading = new Set(
  (
    'analyse analyze browse calculate check compare count describe detect diff estimate evaluate explain fetch find get ' +
    'inspect list look lookup match measure peek ping preview query read retrieve search show status suggest summarise ' +
    'summarize tail validate verify view'
  ).split(' '),
);

/** Verbs of tools that add and take nothing away. */
const adding = new Set(
  'add append attach book create duplicate insert log make new post record register schedule send submit upload'.split(
    ' ',
  ),
);

/** Verbs of tools after which something is gone. */
const destroying = new Set(
  (
    'cancel clean clear delete destroy discard drop empty erase kill overwrite prune purge remove reset revert revoke ' +
    'rollback terminate trash truncate uninstall unlink wipe'
  ).split(' '),
);

/**
 * The annotations that a name promises, as source text. What a verb does not say is left out: clients take the worst
 * for granted (server/tools, ToolAnnotations), which is safe until the author knows better.
 */
export function toolHints([verb = '']: readonly string[]): string {
  if (reading.has(verb)) return 'readOnlyHint: true';
  if (adding.has(verb)) return 'readOnlyHint: false, destructiveHint: false';
  return destroying.has(verb) ? 'readOnlyHint: false, destructiveHint: true' : 'readOnlyHint: false';
}
