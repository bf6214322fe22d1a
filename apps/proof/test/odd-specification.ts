import { circles } from '../../../packages/openapi/test/support/circular-schemas.js';
import { randomNumbers, SchemaGenerator } from '../../../packages/openapi/test/support/generate-answers.js';

/** A specification of odd schemas in one document: all circles, and random ones. Each path has a body and an answer of one. */
export function oddSpecification(seed: number, random: number): object {
  const schemas: Record<string, unknown> = {};
  for (const [index, circle] of circles.entries())
    for (const [name, schema] of Object.entries(circle.schemas))
      schemas[`C${index}${name}`] = JSON.parse(
        JSON.stringify(schema).replaceAll('#/components/schemas/', `#/components/schemas/C${index}`),
      );
  const generator = new SchemaGenerator(randomNumbers(seed));
  for (let index = 0; index < random; index += 1) schemas[`R${index}Whole`] = generator.schema();
  const wholes = Object.keys(schemas).filter((name) => name.endsWith('Whole'));
  const paths = wholes.map((name) => {
    const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
    const post = {
      requestBody: { required: true, content },
      responses: { 200: { description: 'ok', content } },
    };
    return [`/${name.toLowerCase()}`, { post }];
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Odd', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas },
  };
}
