import { ts } from 'typescript-json-schema';
import type { Reporter } from '../diagnostics/reporter.js';
import type { OperationSite, ServiceSite } from '../discover/find-services.js';

export interface PickedSignature {
  signature: ts.Signature;
  declaration: ts.SignatureDeclaration;
}

/**
 * Returns the signature that runs, which is that of the implementation. If overloads hide it, that is
 * reported. The signature is read from the concrete class, so that the type arguments of generic base classes
 * are filled in.
 */
export function pickSignature(
  service: ServiceSite,
  site: OperationSite,
  checker: ts.TypeChecker,
  reporter: Reporter,
): PickedSignature {
  const signatures = checker.getTypeOfSymbolAtLocation(site.method, service.declaration).getCallSignatures();
  const declarations = (site.method.declarations ?? []).filter(ts.isFunctionLike);
  const implementation = declarations.find((each) => 'body' in each && each.body) ?? declarations.at(-1);
  if (signatures.length > 1 && implementation) {
    reporter.report(
      'TW_SCHEMA_OVERLOADS',
      `${site.name} has ${signatures.length} overloads.`,
      implementation,
    );
  }
  const overloaded = declarations.length > 1 && implementation;
  const own = overloaded ? checker.getSignatureFromDeclaration(implementation) : signatures[0];
  const declaration = own?.getDeclaration() ?? implementation;
  if (!own || !declaration) throw new Error(`${service.name}.${site.name} is decorated but is not a method.`);
  return { signature: own, declaration };
}
