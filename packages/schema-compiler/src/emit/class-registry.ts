import { classId, type ManifestClass } from '@toolwright/manifest';
import { getOrMake } from '@toolwright/json';
import { ts } from '../generator/tjs-adapter.js';
import { isAbstract } from '../discover/find-services.js';
import type { PackageSymbols } from '../discover/package-symbols.js';
import type { Reporter } from '../diagnostics/reporter.js';
import type { Project } from '../program/open-project.js';
import { isLibraryType } from '../types/classify-type.js';
import type { SchemaRole } from '../types/members.js';
import type { ClassValidation, DecoratorRules } from '../validators/decorator-rules.js';
import type { Holder } from '../revival/build-revival.js';
import { describeClass, exportedName, qualifiedName } from './describe-class.js';
import { importSpecifier } from './import-specifier.js';

/** The file that uses a class, and the property or parameter that holds its instances. */
interface Whereabouts {
  place?: ts.SourceFile | undefined;
  holder?: Holder | undefined;
}

/** The classes whose instances the server creates from arguments, or writes with class-transformer. */
export class ClassRegistry {
  private readonly found = new Map<string, { type: ts.Type; declaration: ts.ClassLikeDeclaration }>();
  /**
   * Classes that class-transformer has to create, because they contain instances of classes that cannot be
   * imported.
   */
  private readonly builders = new Set<ts.ClassLikeDeclaration>();
  private readonly importers = new Map<string, ts.SourceFile>();
  private readonly typesAlone = new Map<string, boolean>();

  constructor(
    private readonly project: Project,
    private readonly reporter: Reporter,
    private readonly symbols: PackageSymbols,
    private readonly rules: DecoratorRules,
  ) {}

  /** Returns the key of a type if it is a class to be instantiated, and remembers the class. */
  classOf(type: ts.Type, role: SchemaRole, { place, holder }: Whereabouts = {}): string | undefined {
    const declaration = type.getSymbol()?.valueDeclaration;
    if (!declaration || !ts.isClassLike(declaration) || isLibraryType(type)) return undefined;
    if (this.isOnlyBase(type, declaration)) return undefined;
    if (role === 'output' && !this.rules.isTransformed(type)) return undefined;
    const key = this.keyOf(declaration);
    if (key === undefined) this.checkName(type, declaration, role);
    if (key === undefined || (place && this.isTypeAlone(key, declaration, place))) return undefined;
    if (!this.found.has(key)) this.found.set(key, { type, declaration });
    if (place && !this.importers.has(key)) this.importers.set(key, place);
    if (role === 'input' && holder) this.checkReach(type, declaration, holder);
    if (role === 'input' && this.unseenImport(key, declaration)) {
      const { text: name } = declaration.name!;
      const detail = `The server checks the decorators of ${name}, but the manifest does not have their rules: its package has only declaration files. Clients see those that the server can read when it starts.`;
      this.reporter.report('TW_SCHEMA_UNSEEN_CLASS', detail);
    }
    return key;
  }

  /** The manifest's description of all classes that were asked for. */
  describe(): Record<string, ManifestClass> {
    const classes: Record<string, ManifestClass> = {};
    for (const [key, { type, declaration }] of this.found) {
      const name = qualifiedName(declaration) ?? type.getSymbol()!.getName();
      const described = describeClass({ declaration, name }, this.project, this.reporter, this.symbols);
      const foreign = declaration.getSourceFile().isDeclarationFile;
      if (foreign) delete described.module;
      const importer = this.importers.get(key);
      const imported = foreign && importer ? importSpecifier(importer, name) : undefined;
      const { validation, mergeRuntime, rules } = this.unseenImport(key, declaration)
        ? UNSEEN
        : this.validationOf(type, declaration);
      classes[key] = {
        ...described,
        ...(imported ? { imported } : {}),
        validation,
        ...(mergeRuntime ? { mergeRuntime } : {}),
        ...(rules === undefined ? {} : { rules }),
        ...this.patternsOf(type),
      };
    }
    return classes;
  }

  private validationOf(type: ts.Type, declaration: ts.ClassLikeDeclaration): ClassValidation {
    const found = this.rules.validationOf(type, declaration);
    const builds = found.validation === 'skip' && this.builders.has(declaration);
    return builds ? { validation: 'residual', mergeRuntime: found.mergeRuntime } : found;
  }

  /** An abstract class has no instances of its own, unless they are needed to check its rules. */
  private isOnlyBase(type: ts.Type, declaration: ts.ClassLikeDeclaration): boolean {
    if (!isAbstract(declaration)) return false;
    const { validation, rules } = this.rules.validationOf(type, declaration);
    return validation === 'skip' && rules === undefined;
  }

  /** A class that a function returns has no name that the server could find it by. */
  private checkName(type: ts.Type, declaration: ts.ClassLikeDeclaration, role: SchemaRole): void {
    if (role === 'output' || this.rules.validationOf(type, declaration).validation === 'skip') return;
    this.reporter.report('TW_SCHEMA_HIDDEN_CLASS', 'A class without a name validates its values.');
  }

  /**
   * A class that no module exports can be reached in two ways. class-transformer creates it if `@Type` on the
   * property names it, or the compiler emits it as the type of a parameter. If the schema expresses all rules
   * of the class, and it has no methods that the code could call, it does not have to be reached.
   */
  private checkReach(type: ts.Type, declaration: ts.ClassLikeDeclaration, holder: Holder): void {
    if (declaration.getSourceFile().isDeclarationFile) return;
    if (exportedName(declaration, qualifiedName(declaration) ?? '') !== undefined) return;
    const validates = this.rules.validationOf(type, declaration).validation !== 'skip';
    if (!validates && !hasMethods(type)) return;
    const owner = typeof holder === 'object' ? holder.valueDeclaration?.parent : undefined;
    if (typeof holder === 'object' && owner && ts.isClassLike(owner) && this.rules.isTyped(holder)) {
      this.builders.add(owner);
      return;
    }
    if (holder === 'parameter' && this.project.options.emitDecoratorMetadata) return;
    const name = type.getSymbol()!.getName();
    const reason = validates ? 'validates its values' : 'has methods';
    const detail = `${name} ${reason}, but no module exports it.`;
    // Two tools that use the class have one problem, and its remedy is here.
    this.reporter.report('TW_SCHEMA_HIDDEN_CLASS', detail, declaration.name ?? declaration);
  }

  /**
   * Whether a class belongs to another package and may have decorators that its declaration file does not
   * show. A nested class that is not imported where it is used is validated with the class that contains it.
   */
  private unseenImport(key: string, declaration: ts.ClassLikeDeclaration): boolean {
    const { isDeclarationFile, fileName } = declaration.getSourceFile();
    const importer = this.importers.get(key);
    const name = declaration.name?.text;
    if (!isDeclarationFile || !importer || !name) return false;
    const imported = importSpecifier(importer, name);
    if (!imported) return false;
    return this.rules.scanner.validatorUse.of(fileName);
  }

  /**
   * Whether the file uses a class of another package only as a type: it says `import type`, or it does not
   * name the class at all. The package is then not loaded, and values of the type stay plain objects. The
   * class is needed for its rules only if it may have decorators.
   */
  private isTypeAlone(key: string, declaration: ts.ClassLikeDeclaration, place: ts.SourceFile): boolean {
    const { isDeclarationFile, fileName } = declaration.getSourceFile();
    if (!isDeclarationFile) return false;
    return getOrMake(this.typesAlone, key, () => {
      const imported = declaration.name && importSpecifier(place, declaration.name.text);
      return (!imported || imported.typeOnly === true) && !this.rules.scanner.validatorUse.of(fileName);
    });
  }

  private patternsOf(type: ts.Type): Pick<ManifestClass, 'patterns'> {
    const patterns = this.rules.patternsOf(type).map(({ source, flags, node }) => ({
      source,
      flags,
      location: this.reporter.locate(node),
    }));
    return patterns.length > 0 ? { patterns } : {};
  }

  private keyOf(declaration: ts.ClassLikeDeclaration): string | undefined {
    const name = qualifiedName(declaration);
    return name && classId(this.reporter.relativePath(declaration.getSourceFile().fileName), name);
  }
}

/** Its own, or those of a class that it extends. */
function hasMethods(type: ts.Type): boolean {
  return type.getProperties().some(({ flags }) => flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor));
}

const UNSEEN: ClassValidation = { validation: 'full', mergeRuntime: true };
