import type { BoundParameter } from './bound-parameters.js';
import type { CodeStyle } from './code-style.js';
import type { TypeWriter } from './zod/type-writer.js';
import type { ts } from 'typescript-json-schema';
import type { Refusal } from './refusal.js';
import type { Registration } from './registration.js';

/**
 * How far a result is rewritten. 0: `text` and `structured`. 1: the protocol's own result, declared as such. 2:
 * the same, and TypeScript infers its type. 3: not at all.
 */
export type Level = 0 | 1 | 2 | 3;

/** What the writing of a method needs to know about its file. */
export interface DraftContext {
  readonly file: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  readonly style: CodeStyle;
  readonly types: TypeWriter;
  /** The name of core's function `text` in this file. */
  readonly textName: string;
  /** Every name in the file. */
  readonly taken: ReadonlySet<string>;
}

/** A method of the new class. */
export interface Method {
  readonly registration: Registration;
  /** With its comments and decorator, indented for a class. */
  readonly text: string;
  /** Names of `@toolwright/core` that it uses. */
  readonly imports: ReadonlySet<string>;
  /** What the constructor of the class must take for it. */
  readonly bound: readonly BoundParameter[];
  /** What it does not say any more. */
  readonly notes: readonly Refusal[];
}
