/** The pieces of a manifest key. */
export interface ToolIdParts {
  /** Source path relative to the package, with forward slashes. */
  file: string;
  /** Class name, qualified by its namespaces: `Outer.Inner`. */
  className: string;
  method: string;
  static?: boolean;
}

/** Key of a class in a manifest: `src/tools.ts#PageTools`. */
export function classId(file: string, className: string): string {
  return `${file}#${className}`;
}

/** Key of a decorated method in a manifest: `src/tools.ts#PageTools.search`, or `…#PageTools::search` when static. */
export function toolId({ file, className, method, static: isStatic }: ToolIdParts): string {
  return `${classId(file, className)}${isStatic ? '::' : '.'}${method}`;
}
