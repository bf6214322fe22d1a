import { schemaOf, type Manifest, type ManifestEntry } from '@toolwright/manifest';
import type { AnyDraft } from '../../call/operation/draft.js';
import { settingsOf } from './draft-app.js';
import { describe } from './draft-base.js';
import { kindRecordOf } from '../kinds/kinds.js';
import type { DecoratedKind } from '../services/service.js';

/** What the source says about an operation, without running it. */
export interface DeclaredOperation {
  /** The `ManifestEntry.key` of its method. */
  readonly key: string;
  readonly kind: DecoratedKind;
  /** The published name. Left out when it is only known at run time. */
  readonly name?: string;
  /** The constant options of the decorator. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The names of the options that are not constant; `any` when not even the names are known. */
  readonly computed: readonly string[] | 'any';
  /** The other decorators of core with constant arguments, by the names under which core exports them. */
  readonly policies?: readonly { readonly decorator: string; readonly arguments: readonly unknown[] }[];
}

/**
 * Makes a draft of an operation from what its source says.
 *
 * @param declared the operation; its options must have the right types
 * @returns undefined for a resource whose URI is only known at run time
 */
export function draftDeclared(
  declared: DeclaredOperation,
  entry: ManifestEntry,
  manifest: Manifest,
): AnyDraft | undefined {
  const { kind, options, computed } = declared;
  const description = describe(options, entry);
  const common = {
    ...options,
    name: declared.name ?? entry.method,
    ...(description !== undefined && { description }),
    ...(kind === 'app' && { ui: settingsOf(options) }),
    handler: () => undefined,
  };
  const draft = kindRecordOf(kind === 'app' ? 'resource' : kind).declare(common, {
    input: schemaOf(manifest, entry.input)!,
    output: schemaOf(manifest, entry.output ?? ''),
    isComputed: (option) => computed === 'any' || computed.includes(option),
  });
  return draft as AnyDraft | undefined;
}
