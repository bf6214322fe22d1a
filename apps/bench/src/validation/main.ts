import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { IsString, validate } from 'class-validator';
import { loadInternals } from './core-internals.js';
import { page, PageDto, pageSchema, TagDto } from './page-dto.js';

/** DTO classes that an application has besides the measured one; class-validator's lookup walks over all of them. */
const otherClasses = [0, 1_000];
/** How many objects a way validates in a round. A test asks for fewer. */
const runs = Number(process.argv[2] ?? 20_000);
const rounds = 5;

type Way = [name: string, run: () => unknown];

/**
 * Prints how many objects each way validates in a second, and its ratio to class-validator as it is. The first way is
 * that of a DTO whose schema says everything that its decorators say.
 */
async function main(): Promise<void> {
  const { validatorFor, compileRevival, validateInstances, PendingChecks } = loadInternals();
  const classes: Record<string, object> = { Page: PageDto, Tag: TagDto };
  const types = {
    revival: () => undefined,
    dto: (key: string) => ({ constructor: classes[key], validation: 'skip' }),
  };
  const tags = { kind: 'array', items: { kind: 'object', class: 'Tag' } };
  const revive = compileRevival(
    { kind: 'object', class: 'Page', properties: { tags } },
    { types, always: false },
  );
  const check = validatorFor(pageSchema, 'caller');
  const plain: Way = ['plainToInstance + validate', () => validate(plainToInstance(PageDto, page))];
  const fast: Way = ['schema + instances', () => check(page) ?? revive(page, new PendingChecks(), '')];
  const full: Way = [
    'plainToInstance + validate, constraints remembered',
    () => {
      const pending = new PendingChecks();
      pending.unchecked.push({ instance: plainToInstance(PageDto, page), pointer: '' });
      return validateInstances(pending);
    },
  ];
  // The full path last: remembering constraints mends class-validator for the whole process.
  const before: number[] = [];
  for (const count of otherClasses) {
    declareClasses(count);
    before.push(await rate(plain));
  }
  for (const [index, count] of otherClasses.entries()) {
    const baseline = before[index]!;
    console.log(`With ${count} other DTO classes:`);
    for (const way of [fast, full]) print(way[0], await rate(way), baseline);
    print(plain[0], baseline, baseline);
  }
}

function declareClasses(count: number): void {
  for (let index = 0; index < count; index++) {
    class Other {
      a!: string;
      b!: string;
    }
    IsString()(Other.prototype, 'a');
    IsString()(Other.prototype, 'b');
  }
}

/** Objects a second, best of several rounds. */
async function rate([, run]: Way): Promise<number> {
  let best = 0;
  for (let round = 0; round < rounds; round++) {
    const start = process.hrtime.bigint();
    for (let count = 0; count < runs; count++) await run();
    best = Math.max(best, (runs * 1e9) / Number(process.hrtime.bigint() - start));
  }
  return best;
}

function print(name: string, perSecond: number, baseline: number): void {
  const ratio = (perSecond / baseline).toFixed(1);
  console.log(
    `  ${name.padEnd(52)} ${Math.round(perSecond).toLocaleString('en').padStart(12)}/s  ${ratio.padStart(7)}x`,
  );
}

void main();
