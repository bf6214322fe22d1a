/** `_meta.ui.visibility` of a tool in a list says who may call it. Without it, the model and pages may. */
export function isVisibleTo(who: 'app' | 'model', listed: object): boolean {
  const { _meta: meta } = listed as { readonly _meta?: { readonly ui?: { readonly visibility?: unknown } } };
  const visibility = meta?.ui?.visibility;
  return visibility === undefined || (Array.isArray(visibility) && visibility.includes(who));
}
