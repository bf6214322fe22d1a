/** A tool as its list publishes it. */
type Listed = Readonly<Record<string, unknown>>;

/** A tool that says nothing counts as destructive, as the specification has it. */
export function isDestructive(listed: Listed): boolean {
  const { annotations = {} } = listed as {
    annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
  };
  return annotations.readOnlyHint !== true && annotations.destructiveHint !== false;
}

/** `_meta.ui.visibility` says who may call a tool. Without it, the model and pages may. */
export function isVisibleTo(who: 'app' | 'model', listed: Listed): boolean {
  const { _meta: meta } = listed as { _meta?: { ui?: { visibility?: unknown } } };
  const visibility = meta?.ui?.visibility;
  return visibility === undefined || (Array.isArray(visibility) && visibility.includes(who));
}
