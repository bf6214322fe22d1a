import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import {
  Activity,
  ArrowLeftRight,
  BookOpen,
  ChartColumn,
  FileCheck2,
  FlaskConical,
  Gauge,
  Layers,
  MessagesSquare,
  KeyRound,
  PanelsTopLeft,
  PlugZap,
  Search,
  LogIn,
  ShieldCheck,
  Users,
  Workflow,
  Wrench,
  type LucideIcon,
} from 'lucide-react';
import type { Access } from '../../../src/api/overview-api.js';

/** The groups of the navigation, in its order. */
export const groups = { use: 'Use', watch: 'Watch', check: 'Check', parts: 'Parts' } as const;

/** One pane of the console. A new one is a folder in `panes/` and a line here. */
export interface Pane {
  readonly id: string;
  readonly group: keyof typeof groups;
  readonly title: string;
  /** What it is for, in a few words. */
  readonly hint: string;
  readonly icon: LucideIcon;
  /** What a server must have; default: nothing. Where it is missing, nothing is shown of the pane. */
  readonly needs?: 'hasChat';
  /** The access that it needs; default: reading. */
  readonly access?: Access;
  readonly Component: LazyExoticComponent<ComponentType>;
}

/** By group, in the order of the navigation. */
export const panes: readonly Pane[] = [
  {
    id: 'tools',
    group: 'use',
    title: 'Tools',
    hint: 'Tools, resources and prompts: call them',
    icon: Wrench,
    Component: lazy(() => import('../panes/tools/tools-pane.js')),
  },
  {
    id: 'hosts',
    group: 'use',
    title: 'Add to host',
    hint: 'How to add this server to Claude, VS Code, Cursor and others',
    icon: PlugZap,
    Component: lazy(() => import('../panes/hosts/hosts-pane.js')),
  },
  {
    id: 'sign-in',
    group: 'use',
    title: 'Sign-in',
    hint: 'Sign in step by step, and see which step fails and what to do',
    icon: LogIn,
    access: 'project',
    Component: lazy(() => import('../panes/sign-in/sign-in-pane.js')),
  },
  {
    id: 'chat',
    group: 'use',
    title: 'Chat',
    hint: 'Try the server with a model of your own, and keep turns as tests',
    icon: MessagesSquare,
    access: 'call',
    needs: 'hasChat',
    Component: lazy(() => import('../panes/chat/chat-pane.js')),
  },
  {
    id: 'calls',
    group: 'watch',
    title: 'Calls',
    hint: 'Calls of all clients, and what each guard did',
    icon: Activity,
    Component: lazy(() => import('../panes/calls/calls-pane.js')),
  },
  {
    id: 'traffic',
    group: 'watch',
    title: 'Traffic',
    hint: 'Every JSON-RPC message between clients and the server',
    icon: ArrowLeftRight,
    Component: lazy(() => import('../panes/traffic/traffic-pane.js')),
  },
  {
    id: 'state',
    group: 'watch',
    title: 'State',
    hint: 'Calls, limits, sessions, tasks: what the server keeps now',
    icon: Gauge,
    Component: lazy(() => import('../panes/state/state-pane.js')),
  },
  {
    id: 'audit',
    group: 'watch',
    title: 'Audit',
    hint: 'The audit log: live, searched and verified',
    icon: ShieldCheck,
    Component: lazy(() => import('../panes/audit/audit-pane.js')),
  },
  {
    id: 'usage',
    group: 'watch',
    title: 'Usage',
    hint: 'Calls, errors, latency and tokens by tool, client, tenant, week',
    icon: ChartColumn,
    Component: lazy(() => import('../panes/usage/usage-pane.js')),
  },
  {
    id: 'explain',
    group: 'check',
    title: 'Explain',
    hint: 'What a decorated method has become, and what providers keep',
    icon: Workflow,
    Component: lazy(() => import('../panes/explain/explain-pane.js')),
  },
  {
    id: 'access',
    group: 'check',
    title: 'Access',
    hint: 'Who sees what: tools and callers, with reasons',
    icon: Users,
    access: 'call',
    Component: lazy(() => import('../panes/access/access-pane.js')),
  },
  {
    id: 'search',
    group: 'check',
    title: 'Search',
    hint: 'What a caller finds with a query, and which words find it',
    icon: Search,
    access: 'call',
    Component: lazy(() => import('../panes/search/search-pane.js')),
  },
  {
    id: 'contract',
    group: 'check',
    title: 'Contract',
    hint: 'Problems, tokens and changes of what is published',
    icon: FileCheck2,
    access: 'project',
    Component: lazy(() => import('../panes/contract/contract-pane.js')),
  },
  {
    id: 'evaluations',
    group: 'check',
    title: 'Evaluations',
    hint: 'Which tools a model calls for which request, and what changed',
    icon: FlaskConical,
    access: 'project',
    Component: lazy(() => import('../panes/evaluations/evaluations-pane.js')),
  },
  {
    id: 'keys',
    group: 'parts',
    title: 'Keys',
    hint: 'API keys, and what users have granted: see, make and end them',
    icon: KeyRound,
    Component: lazy(() => import('../panes/keys/keys-pane.js')),
  },
  {
    id: 'mounts',
    group: 'parts',
    title: 'Mounts',
    hint: 'Servers behind this one: state, latency, and changes that are held back',
    icon: Layers,
    Component: lazy(() => import('../panes/mounts/mounts-pane.js')),
  },
  {
    id: 'views',
    group: 'parts',
    title: 'Views',
    hint: 'Pages that show results: their tools, sizes, and what they may load',
    icon: PanelsTopLeft,
    Component: lazy(() => import('../panes/views/views-pane.js')),
  },
  {
    id: 'skills',
    group: 'parts',
    title: 'Skills',
    hint: 'Skills, their files and digests, and who may see them',
    icon: BookOpen,
    Component: lazy(() => import('../panes/skills/skills-pane.js')),
  },
];
