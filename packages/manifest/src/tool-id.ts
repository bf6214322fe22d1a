/** The parts of a manifest key. */
export interface ToolIdParts {
  /** The source path relative to the package, with forward slashes. */
  file: string;
  /** The class name with its namespaces: `Outer.Inner`. */
  className: string;
  method: string;
  static?: boolean;
}

/** The key of a class in a manifest: `src/tools.ts#PageTools`. */
export function classId(file: string, className: string): string {
  return `${file}#${className}`;
}

/**
 * The key of a decorated method in a manifest: `src/tools.ts#PageTools.search`, or `…#PageTools::search` for
 * a static method.
 */
export function toolId({ file, className, method, static: isStatic }: ToolIdParts): string {
  return `${classId(file, className)}${isStatic ? '::' : '.'}${method}`;
}
