import { inspectProject } from '../../src/index.js';
import { TemporaryProject } from '../temporary-project.js';

let project: TemporaryProject;
afterEach(() => project.remove());

test.each(['void', 'undefined', 'never', 'void | undefined'])(
  'a property that can only be %s is not in JSON',
  async (type) => {
    project = new TemporaryProject({
      'src/a.ts': `
      import { McpTool } from '@toolwright/core';
      interface Customer { id: string; deleted?: ${type} }
      export class A {
        @McpTool() run(customer: Customer): { customer: Customer } { return { customer }; }
      }`,
    });
    const [entry] = await inspectProject({ project: project.project, cache: false });
    // A single parameter that is an object is the input itself.
    expect(Object.keys(entry!.input.properties!)).toEqual(['id']);
    expect(Object.keys(entry!.output!.properties!.customer!.properties!)).toEqual(['id']);
  },
);
