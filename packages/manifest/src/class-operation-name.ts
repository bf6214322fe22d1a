/**
 * The name that a decorated class publishes its tool under, unless it says another: `Admin.DeleteOldPages` is
 * `delete_old_pages`. The compiler and the server have to agree on it.
 */
export function classOperationName(className: string): string {
  return className
    .slice(className.lastIndexOf('.') + 1)
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2')
    .toLowerCase();
}
