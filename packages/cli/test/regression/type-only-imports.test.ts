import { compilerOptions } from '../support/project-folder.js';
import { SmallProject } from '../support/small-project.js';

/** A package whose types are useful where its code does not run: another platform, no cluster, no licence. */
const cluster = (name: string) => ({
  [`node_modules/${name}/package.json`]: {
    name,
    version: '1.0.0',
    type: 'module',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
  },
  [`node_modules/${name}/index.js`]: `throw new Error('${name} was loaded');`,
  [`node_modules/${name}/index.d.ts`]: `
    export declare class V1ObjectMeta { 'name'?: string; 'labels'?: { [key: string]: string }; 'creationTimestamp'?: Date; }
    export declare class V1Pod { 'kind'?: string; 'metadata'?: V1ObjectMeta; }
    export declare class CoreV1Api { readPod(name: string): Promise<V1Pod>; }`,
});

const project = new SmallProject({
  'package.json': { name: 'pods', type: 'module' },
  'tsconfig.json': {
    compilerOptions: { ...compilerOptions, emitDecoratorMetadata: false },
    include: ['src'],
  },
  ...cluster('@cluster/types'),
  ...cluster('@cluster/inline'),
  'src/pod-tools.ts': `
    import { McpService, McpTool } from '@toolwright/core';
    import type { CoreV1Api, V1Pod } from '@cluster/types';
    import { type V1Pod as Pod } from '@cluster/inline';

    @McpService()
    export class PodTools {
      constructor(private readonly api: CoreV1Api) {}
      /** Create a pod. */
      @McpTool({ annotations: { readOnlyHint: true } })
      create(pod: V1Pod): string { return pod.constructor.name + pod.metadata?.creationTimestamp?.getFullYear(); }
      /** Take a pod and a name. */
      @McpTool({ annotations: { readOnlyHint: true } })
      label(pod: Pod, name: string): string { return name + pod.metadata?.name; }
    }`,
  'src/main.ts': `
    import { createMcpServer } from '@toolwright/core';
    import { connect } from '@toolwright/testing';
    import { PodTools } from './pod-tools.js';

    class CoreV1Api {}
    const providers = [{ provide: CoreV1Api, useValue: new CoreV1Api() }];
    const client = await connect(await createMcpServer({ name: 'pods', version: '1', services: [PodTools], providers }));
    const metadata = { name: 'one', creationTimestamp: '2020-03-01T00:00:00Z' };
    console.log(await client.callText('create', { metadata }), await client.callText('label', { pod: { metadata }, name: 'the ' }));
    await client.close();`,
});
afterAll(() => project.remove());

test('a package is not loaded if a file uses only its types', () => {
  expect(project.compile().stdout).toBe('');
  expect(project.toolwright('build')).toMatchObject({ status: 0, stderr: '' });
  const { stdout, stderr } = project.node('dist/main.js');
  expect(stderr).toBe('');
  expect(stdout).toBe('Object2020 the one\n');
});
