/** A tool that names a view, as its source says it. */
export interface ToolView {
  /** The key of its class in the manifest. */
  readonly class: string;
  /** The published name. */
  readonly tool: string;
  /** The view as the option `ui` names it. */
  readonly view: string;
  /** The source of the class, relative to the project. */
  readonly file: string;
  /** Where the tool is. */
  readonly location: ViewPlace;
}

export interface ViewPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Something that keeps a view from being built. Files are relative to the project. */
export interface ViewProblem extends ViewPlace {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** A built page, as the manifest has it. Core reads it. */
export interface BuiltView {
  readonly uri: string;
  readonly view: string;
  /** The file of all pages, relative to the manifest. */
  readonly file: string;
  /** The name of the page in the file. */
  readonly page: string;
  readonly sha256: string;
  readonly csp?: Record<string, readonly string[]>;
}

/** The libraries that a view may be written with. */
export type ViewKind = 'plain' | 'react' | 'preact';

/** The file of a view, with the tools that it shows. */
export interface ViewSource {
  /** Absolute path. */
  readonly path: string;
  /** Relative to the project. */
  readonly file: string;
  readonly kind: ViewKind;
  readonly tools: readonly ToolView[];
}
