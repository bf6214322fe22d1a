/** What versions of a tool differ in. */
interface Versioned {
  readonly name: string;
  readonly versionOf?: string | undefined;
}

/** Rules are asked for each call, so a version has one form for all of them. */
const forms = new WeakMap<object, object>();

/**
 * An operation as rules see it, whether an application or a package has written them. All versions of a tool are one tool
 * to a rule: they have its bare name, and a member `version`. So a rule about `refund` is one about `refund.v1`, too.
 */
export function withBareName<O extends Versioned>(operation: O): O {
  const { name, versionOf = name } = operation;
  if (versionOf === name) return operation;
  let form = forms.get(operation);
  if (!form) forms.set(operation, (form = renamed(operation as Versioned & Computed, versionOf)));
  return form as O;
}

/** What an operation computes when it is read. A copy has only what an operation has itself. */
interface Computed {
  readonly location?: unknown;
  readonly contract?: unknown;
  readonly plan?: unknown;
}

function renamed(operation: Versioned & Computed, name: string): object {
  return {
    ...operation,
    name,
    get location() {
      return operation.location;
    },
    get contract() {
      return operation.contract;
    },
    get plan() {
      return operation.plan;
    },
  };
}
