export { openAiModel, type OpenAiModelOptions } from './model/openai/openai-model.js';
