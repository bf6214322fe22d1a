export { addCases } from './cases/add-cases.js';
export type { ChatCase } from './cases/cases-of.js';
export { Chat } from './chat.js';
export { ChatError, chatErrorCatalogue, type ChatErrorCode } from './chat-error.js';
export { chatModel, type ChatModel, type ChatModelAnswer, type ChatModelRequest } from './chat-model.js';
export type { ChatMessage, ChatMessageCall, ChatTool, ChatUsage } from './model/chat-messages.js';
export { readChatSettings, type ChatSettings } from './model/chat-settings.js';
export type { CallEnd, ChatHost, MadeCall, OfferedTools } from './turns/chat-host.js';
export type { ChatAnswerState, ChatCallState, ChatTokens, ChatTurnState } from '@toolwright/json';
