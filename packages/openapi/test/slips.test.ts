import { ConfigurationError, createMcpServer } from '@toolwright/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { silentLogger } from '@toolwright/core/ports';
import { count, size } from '../../../.ci/test/support/proof';
import { openApiTools, SpecificationError } from '../src/index';
import { convertVersion2 } from '../src/read/convert-version-2';
import { planOperations } from '../src/model/plan-operations';
import { contractOf } from '../src/model/tool-contract';
import { readSpecification } from '../src/read/read-specification';
import { writeFiles } from '../src/write/write-files';
import { type Slip, slipsOf } from './support/slips';

/** In a sample, one of so many slips is tried. */
const SAMPLE = size > 1 ? 1 : 17;

/** What the code of the tools and their contracts are made from; notes say what was read otherwise than it is written. */
async function outcomeOf(
  document: object,
): Promise<{ error?: Error; tools?: string; notes?: readonly string[] }> {
  try {
    const specification = await readSpecification(document, { convert: convertVersion2 });
    const plan = planOperations(specification, { include: ['*'] });
    const contracts = plan.operations.map((each) => contractOf(each, plan));
    const files = [...writeFiles(plan)];
    return { tools: JSON.stringify([contracts, files]), notes: specification.notes };
  } catch (error) {
    return { error: error as Error };
  }
}

/** Adding to a running server ends as the import does: with tools, or with the same line. */
async function addTo(document: object): Promise<Error | undefined> {
  const server = await createMcpServer({
    name: 'slips',
    version: '1.0.0',
    services: [],
    audit: false,
    logger: silentLogger,
  });
  try {
    await openApiTools(server, { spec: document, include: ['*'], baseUrl: 'http://127.0.0.1:1' });
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await server.close();
  }
}

/** Here every value is right: data, names that a person chooses, and words that no tool shows. */
const isFree = ({ place, value, document }: Slip) =>
  // A number there is what version 3.1 writes.
  (typeof value === 'number' && /\/exclusiveM\w+$/.test(place)) ||
  // From version 3.1 on, true is a schema. Its type can be a list of names.
  (value === true && String(document['openapi']).startsWith('3.1')) ||
  /\/(?:examples?|default|const|flows|openapi|swagger)(?:\/|$)|\/enum\/\d+(?:\/|$)/.test(place);

/** Whether a line says where the mistake is: the place itself, the part that it is in, or what is in it. */
function names(place: string, line: string): boolean {
  const named = [...line.matchAll(/#\/[^\s,]*/g)].map(([text]) => text.replace(/[.:]$/, ''));
  return named.some((each) => within(each, place) || within(place, each));
}
const within = (place: string, whole: string) => place === whole || place.startsWith(`${whole}/`);

function problemOf(
  slip: Slip,
  good: string,
  outcome: Awaited<ReturnType<typeof outcomeOf>>,
): string | undefined {
  const { error, tools, notes = [] } = outcome;
  if (error instanceof SpecificationError || error instanceof ConfigurationError)
    return /\n/.test(error.message.replace(/^TW_\S+\s*/, '')) ||
      (error instanceof SpecificationError && !isSaid(slip, error.message))
      ? `says ${error.message}`
      : undefined;
  if (error) return error.stack;
  const isDrawnFrom = slip.kind !== 'null' && slip.kind !== 'another type';
  if (isDrawnFrom || isFree(slip) || tools === good) return undefined;
  return notes.some((note) => names(slip.place, note)) ? undefined : 'became another tool without a word';
}

/** A document without a version or without operations has no place to name. */
const isSaid = ({ place }: Slip, message: string) =>
  names(place, message) || /^#\/(?:openapi|swagger|paths)$/.test(place) || / is the version /.test(message);

test.each(['petstore.yaml', 'styles.yaml', 'slips.yaml', 'version-2.yaml'])(
  'each single mistake in %s ends well, or in one line with its place',
  async (name) => {
    const document = parse(readFileSync(join(__dirname, 'fixtures', name), 'utf8')) as object;
    const good = (await outcomeOf(document)).tools!;
    expect(good).toBeDefined();
    const problems: string[] = [];
    let tried = 0;
    let refused = 0;
    for (const [index, slip] of [...slipsOf(document)].entries()) {
      if (index % SAMPLE !== 0) continue;
      tried += 1;
      const outcome = await outcomeOf(slip.document);
      if (outcome.error) refused += 1;
      const problem = problemOf(slip, good, outcome);
      if (problem !== undefined) problems.push(`${slip.place} ${slip.kind}: ${problem}`);
      const isRead = 'openapi' in slip.document && index % (SAMPLE * 5) === 0;
      const ofServer = isRead ? await addTo(slip.document) : outcome.error;
      const isPlanned = ofServer instanceof ConfigurationError && outcome.error === undefined;
      if (!isPlanned && ofServer?.message !== outcome.error?.message)
        problems.push(
          `${slip.place} ${slip.kind}: the server says ${ofServer?.message}, the import ${outcome.error?.message}`,
        );
    }
    expect(problems).toEqual([]);
    expect(refused).toBeGreaterThan(0);
    count('single mistakes', tried);
    count('of them refused with their place', refused);
  },
);
