import { newViews, viewFiles, type NewView } from '../src/scaffold/view-files.js';
import { newViewCommand, type NewViewConsole } from '../src/scaffold/new-view-command.js';
import { ViewProject } from './support/view-project.js';

const kinds = Object.keys(newViews) as NewView[];
const libraries = ['preact', 'react', 'plain'] as const;

describe.each(kinds)('the files of a %s', (kind) => {
  test.each(libraries)('have the given name, in %s', (as) => {
    const { className, module, files } = viewFiles(kind, { name: 'showOldThings', as });
    expect([className, module]).toEqual(['ShowOldThingsTools', 'show-old-things-tools']);
    const component = `views/show-old-things.${as === 'plain' ? 'ts' : 'tsx'}`;
    expect([...files.keys()]).toEqual(
      expect.arrayContaining(['show-old-things-tools.ts', component, 'views/show-old-things.css']),
    );
    const all = [...files.values()].join('\n');
    expect(all).not.toMatch(/view[_-]?n(ame|oun)/i);
    expect(all).toContain(`ui: { view: './${component}' }`);
    expect(/from '(p?react)[/']/.exec(files.get(component)!)?.[1]).toBe(as === 'plain' ? undefined : as);
    // Nothing of a result may become markup, and no page sends a form.
    expect(all).not.toMatch(/innerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|<form|https?:/);
  });
});

test('further tools are named after the thing', () => {
  const record = viewFiles('record', { name: 'show_ticket', as: 'plain' }).files.get('show-ticket-tools.ts');
  expect(record).toContain("name: 'cancel_ticket'");
  const form = viewFiles('form', { name: 'survey', as: 'plain' }).files.get('survey-tools.ts');
  expect(form).toContain("name: 'submit_survey'");
});

describe('the command', () => {
  let project: ViewProject;
  beforeEach(() => (project = new ViewProject()));
  afterEach(() => project.remove());

  async function run(kind: string, values: object = {}) {
    const lines: string[] = [];
    let offered: Parameters<NewViewConsole['offer']>[0] | undefined;
    const console: NewViewConsole = {
      err: (line) => void lines.push(line),
      openApp: () => ({
        root: project.folder,
        folder: project.path('src'),
        packageManager: 'pnpm',
        register: ({ className }) => ({ changes: [], notes: [`registered ${className}`] }),
        leaveOut: (folder) => ({ changes: [], notes: [`left out ${folder.slice(project.folder.length)}`] }),
      }),
      offer: (plan) => {
        offered = plan;
        return Promise.resolve(0);
      },
    };
    return { code: await newViewCommand.run(kind, values, console), text: lines.join('\n'), offered };
  }
  const paths = ({ offered }: Awaited<ReturnType<typeof run>>) =>
    offered?.changes.map(({ path }) => path.slice(project.folder.length + 1));

  test('offers the files, the registration, and what a view is built with', async () => {
    const made = await run('chart');
    expect(made).toMatchObject({ code: 0, offered: { yes: false, project: project.folder } });
    expect(paths(made)).toEqual([
      'src/show-sales-tools.ts',
      'src/views/show-sales.tsx',
      'src/views/show-sales.css',
      'src/views/show-sales-drawing.ts',
      'src/views/tsconfig.json',
      'package.json',
    ]);
    const { devDependencies } = JSON.parse(made.offered!.changes.at(-1)!.after);
    expect(Object.keys(devDependencies)).toEqual(['@toolwright/views', 'preact', 'uplot', 'vite']);
    expect(Object.values(devDependencies).slice(1)).toEqual(
      Array(3).fill(expect.stringMatching(/^\d+\.\d+\.\d+$/)),
    );
    expect(made.offered!.notes).toEqual([
      'registered ShowSalesTools',
      'left out /src/views',
      'Install vite, preact, uplot: pnpm install',
    ]);
  });

  test('leaves the types that each build writes out of Git, once', async () => {
    project.write('.gitignore', 'dist/');
    const { offered } = await run('table');
    const { path, after } = offered!.changes.at(-1)!;
    expect([path, after]).toEqual([project.path('.gitignore'), 'dist/\nsrc/views/views.d.ts\n']);
    project.write('.gitignore', after);
    expect(paths(await run('chart'))).not.toContain('.gitignore');
  });

  test('takes the library that the project has', async () => {
    const all = {
      '@toolwright/views': '1',
      react: '19',
      'react-dom': '19',
      '@types/react': '1',
      '@types/react-dom': '1',
    };
    project.write('package.json', JSON.stringify({ dependencies: all, devDependencies: { vite: '8' } }));
    const made = await run('table');
    expect(paths(made)).not.toContain('package.json');
    expect(made.offered!.changes[1]!.after).toContain("from 'react'");
    const plain = await run('table', { as: 'plain' });
    expect(paths(plain)).toContain('src/views/list-orders.ts');
  });

  test.each([
    ['pie', {}, 'pie is no kind of view: table, chart, form, record.'],
    ['table', { name: '../up' }, 'is no name'],
    ['table', { name: 'constructor' }, 'cannot be the name'],
    ['table', { name: 'taken' }, 'taken.css already exists. Choose another name with --name.'],
  ])('refuses %s %j', async (kind, values, text) => {
    project.write('src/views/taken.css', '');
    expect(await run(kind, values)).toMatchObject({
      code: 2,
      text: expect.stringContaining(text),
      offered: undefined,
    });
  });
});
