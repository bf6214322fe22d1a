import { referenceName } from '../schema/references.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type Ajv from 'ajv';

type Definitions = Readonly<Record<string, JsonSchema>>;
type Compile = (definition: JsonSchema) => ValidateFunction;

/** What references mean while a schema is compiled. */
interface Meaning {
  readonly definitions: Definitions;
  readonly compile: Compile;
}

/**
 * Makes Ajv compile the target of a reference when the first value reaches it, and keeps the result for all
 * schemas that share the definitions. Ajv itself compiles everything that a schema can reach, for each
 * schema. For a type of Stripe, that takes ten seconds.
 */
export class LazyReferences {
  private readonly compiled = new WeakMap<Definitions, Map<string, ValidateFunction>>();
  private meaning: Meaning | undefined;

  constructor(ajv: Ajv) {
    const rule = ajv.RULES.all['$ref'];
    if (typeof rule !== 'object' || !('code' in rule.definition)) return;
    const { definition } = rule;
    const { code } = definition;
    /* eslint-disable @typescript-eslint/no-require-imports -- Ajv is loaded at first need */
    const { callRef } =
      require('ajv/dist/vocabularies/core/ref.js') as typeof import('ajv/dist/vocabularies/core/ref.js');
    /* eslint-enable @typescript-eslint/no-require-imports */
    rule.definition = {
      ...definition,
      code: (cxt, type) => {
        const name = referenceName({ $ref: String(cxt.schema) });
        const { meaning } = this;
        if (!meaning || name === undefined || !meaning.definitions[name])
          return code.call(definition, cxt, type);
        const follow = this.follow(name, meaning, `${cxt.it.errSchemaPath}/$ref`);
        callRef(cxt, cxt.gen.scopeValue('validate', { ref: follow }), NOTHING_EVALUATED as never);
      },
    };
  }

  /** Compiles a schema whose references mean these definitions. */
  within(definitions: Definitions, compile: Compile, schema: JsonSchema): ValidateFunction {
    const outer = this.meaning;
    this.meaning = { definitions, compile };
    try {
      return compile(schema);
    } finally {
      this.meaning = outer;
    }
  }

  /** @param site path of the schema with the reference; the paths of errors begin with it */
  private follow(name: string, { definitions, compile }: Meaning, site: string): ValidateFunction {
    const follow = (data: unknown, context?: never): boolean => {
      const validate = this.validatorOf(name, { definitions, compile });
      if (validate(data, context)) return true;
      follow.errors = validate.errors?.map((error) => ({
        ...error,
        schemaPath: site + error.schemaPath.slice(1),
      }));
      return false;
    };
    follow.errors = undefined as ErrorObject[] | undefined;
    return follow as unknown as ValidateFunction;
  }

  private validatorOf(name: string, { definitions, compile }: Meaning): ValidateFunction {
    let known = this.compiled.get(definitions);
    if (!known) this.compiled.set(definitions, (known = new Map()));
    let validate = known.get(name);
    if (!validate) known.set(name, (validate = this.within(definitions, compile, definitions[name]!)));
    return validate;
  }
}

/** Nothing asks what a definition has evaluated, because schemas that need this are not compiled lazily. */
const NOTHING_EVALUATED = { validate: { evaluated: {} } };
