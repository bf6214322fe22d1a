import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { bootSources, type BootedSources } from './support/booted-sources.js';
import { InputGenerator } from './support/generate-inputs.js';
import { makeUpClasses, projectOf, type MadeUpClass } from './support/made-up-classes.js';

const COUNT = Number(process.env.MADE_UP_CLASSES ?? 72);
const SEED = Number(process.env.MADE_UP_SEED ?? 36);

const classes = makeUpClasses(COUNT, SEED);
let booted: BootedSources;
let running: Record<string, new () => object>;

beforeAll(async () => {
  booted = await bootSources(projectOf(classes));
  running = booted.load('classes.ts');
}, 240_000);

afterAll(() => booted.close());

test('of made-up classes, a call accepts nothing that class-validator refuses', async () => {
  const wrong: string[] = [];
  let accepted = 0;
  for (const each of classes) {
    const generator = new InputGenerator(booted.schemas.get(`call${each.name}`)!);
    const inputs = [...generator.valid().slice(0, 60), ...generator.mutated()];
    for (const input of inputs) {
      const { result } = await booted.wire.call(`call${each.name}`, structuredClone(input));
      if (result.isError === true) continue;
      accepted++;
      if (!(await oracle(each, structuredClone(input))))
        wrong.push(`${each.source}\naccepted ${JSON.stringify(input)}`);
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(accepted).toBeGreaterThan(COUNT);
}, 240_000);

async function oracle({ name, declared }: MadeUpClass, input: Record<string, unknown>): Promise<boolean> {
  try {
    const instance = plainToInstance(running[name]!, input);
    const errors = await validate(instance, { whitelist: true, forbidNonWhitelisted: true });
    return errors.every((error) => isAllowed(error, declared));
  } catch {
    return false;
  }
}

/** Properties that the type declares without a decorator are accepted; that is documented. */
function isAllowed(
  { property, constraints = {}, children = [] }: ValidationError,
  declared: readonly string[],
): boolean {
  const kinds = Object.keys(constraints);
  if (kinds.includes('unknownValue')) return true;
  if (kinds.some((kind) => kind !== 'whitelistValidation')) return false;
  if (kinds.length > 0 && !declared.includes(property)) return false;
  return children.every((child) => isAllowed(child, declared));
}
