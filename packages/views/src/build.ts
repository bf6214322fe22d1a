export { buildViews, type BuiltViews, type ViewsProject } from './build/build-views.js';
export { KeptBuilds } from './build/kept-builds.js';
export type { BuiltView, ToolView, ViewProblem } from './build/tool-view.js';
