/** Verbs of tools that change nothing. */
const reading = new Set(
  (
    'analyse analyze browse calculate check compare count describe detect diff estimate evaluate explain fetch find get ' +
    'inspect list look lookup match measure peek ping preview query read retrieve search show status suggest summarise ' +
    'summarize tail validate verify view'
  ).split(' '),
);

/** Verbs of tools that add something and remove nothing. */
const adding = new Set(
  'add append attach book create duplicate insert log make new post record register schedule send submit upload'.split(
    ' ',
  ),
);

/** Verbs of tools that remove something. */
const destroying = new Set(
  (
    'cancel clean clear delete destroy discard drop empty erase kill overwrite prune purge remove reset revert revoke ' +
    'rollback terminate trash truncate uninstall unlink wipe'
  ).split(' '),
);

/**
 * The annotations that a name suggests, as source text. If the verb says nothing about an annotation, it is
 * left out. Clients then assume the worst (server/tools, ToolAnnotations), and that is safe until the author
 * decides.
 */
export function toolHints([verb = '']: readonly string[]): string {
  if (reading.has(verb)) return 'readOnlyHint: true';
  if (adding.has(verb)) return 'readOnlyHint: false, destructiveHint: false';
  return destroying.has(verb) ? 'readOnlyHint: false, destructiveHint: true' : 'readOnlyHint: false';
}
