// What a host needs to speak the dialect of the Apps SDK of OpenAI. The console is one.
export { type OpenAiGlobals, openAiMarkup, WIDGET_STATE } from './hosts/open-ai-globals.js';
