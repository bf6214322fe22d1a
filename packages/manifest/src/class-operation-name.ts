/**
 * The name of a decorated class's tool, unless the decorator sets another one: `Admin.DeleteOldPages` becomes
 * `delete_old_pages`. The compiler and the server must use the same name.
 */
export function classOperationName(className: string): string {
  return className
    .slice(className.lastIndexOf('.') + 1)
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2')
    .toLowerCase();
}
