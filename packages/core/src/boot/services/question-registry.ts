import { Question } from '../../call/values/question.js';
import type { QuestionTable } from '../../call/context/tool-context.js';
import type { TypeTable } from '../../call/operation/draft.js';
import type { LoadedManifest } from '../manifest/loaded-manifest.js';

/**
 * The typed questions of all packages whose services a server has. A method may ask through a helper of
 * another package. Then the manifest of that package knows the question. It is used when the method's own
 * package has no question with that key.
 */
export class QuestionRegistry {
  readonly #packages = new Map<string, PackageQuestions>();

  /** The questions that the operations of one package may ask. */
  tableOf(manifest: LoadedManifest, types: TypeTable): QuestionTable {
    const own = new PackageQuestions(manifest, types);
    this.#packages.set(manifest.source, own);
    return {
      find: (key, kind) => {
        const found = own.find(key, kind);
        if (found) return found;
        const others = [...this.#packages.values()].flatMap((each) => each.find(key, kind) ?? []);
        return others.length === 1 ? others[0] : undefined;
      },
    };
  }
}

/** Each question is built when it is first asked. In most processes, most questions are never asked. */
class PackageQuestions {
  readonly #made = new Map<string, Question>();

  constructor(
    private readonly loaded: LoadedManifest,
    private readonly types: TypeTable,
  ) {}

  find(key: string, kind: Question['kind']): Question | undefined {
    const { questions = {} } = this.loaded.manifest;
    const definition = Object.hasOwn(questions, key) ? questions[key] : undefined;
    const schema = definition && this.loaded.schema(definition.schema);
    if (!schema || definition.kind !== kind) return undefined;
    let made = this.#made.get(key);
    if (!made) this.#made.set(key, (made = new Question({ key, definition, types: this.types }, schema)));
    return made;
  }
}
