import { redactJsonText } from '../secrets/redact-json.js';
import { redactOrWithhold, type Redactor } from '../secrets/redactor.js';
import type { ModelMessage } from './model.js';

/** The messages of a request with their secrets taken out, so that no model and no trace has them. */
export function redactMessages(
  redactor: Redactor,
  messages: readonly ModelMessage[],
): Promise<readonly ModelMessage[]> {
  return Promise.all(
    messages.map(async (message): Promise<ModelMessage> => {
      const content = await redactOrWithhold(redactor, message.content);
      if (message.role !== 'assistant') {
        return { ...message, content };
      }
      const calls = message.calls.map(async (call) => ({
        ...call,
        arguments: await redactJsonText(redactor, call.arguments),
      }));
      return { ...message, content, calls: await Promise.all(calls) };
    }),
  );
}
