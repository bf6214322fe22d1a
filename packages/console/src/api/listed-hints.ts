/** A tool as its list publishes it. */
type Listed = Readonly<Record<string, unknown>>;

/** A tool that says nothing counts as destructive, as the specification has it. */
export function isDestructive(listed: Listed): boolean {
  const { annotations = {} } = listed as {
    annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
  };
  return annotations.readOnlyHint !== true && annotations.destructiveHint !== false;
}
