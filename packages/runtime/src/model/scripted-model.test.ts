import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelRequest } from './model.js';
import { scriptedModel } from './scripted-model.js';

const request = (messages: readonly ModelMessage[]): ModelRequest => ({
  messages,
  tools: [],
  correlationId: 'run-1',
  signal: new AbortController().signal,
});
const call = (...ids: readonly string[]): ModelMessage => ({
  role: 'assistant',
  content: '',
  calls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })),
});
const asked: ModelMessage = { role: 'user', content: 'do it' };

describe('a scripted model', () => {
  const script = [{ call: [{ tool: 'look' }, { tool: 'look' }] }, { call: { tool: 'look' } }, 'Done.'];

  it('answers with one turn per request, and says what is missing when it is asked for more', async () => {
    const model = scriptedModel(['Done.']);
    expect(await model.respond(request([asked]))).toMatchObject({ content: 'Done.', calls: [] });
    await expect(model.respond(request([asked]))).rejects.toMatchObject({
      message: expect.stringContaining('asked for turn 2') as string,
    });
  });

  it('goes on where the transcript stands when it follows that, whoever began the run', async () => {
    const first = await scriptedModel(script, { by: 'transcript' }).respond(request([asked]));
    expect(first.calls.map(({ id }) => id)).toEqual(['call_1', 'call_2']);
    const answers: ModelMessage[] = ['call_1', 'call_2'].map((callId) => ({
      role: 'tool',
      callId,
      content: 'three',
    }));
    const other = scriptedModel(script, { by: 'transcript' });
    const second = await other.respond(request([asked, call('call_1', 'call_2'), ...answers]));
    expect(second.calls.map(({ id }) => id)).toEqual(['call_3']);
    const third = await other.respond(request([asked, call('call_1', 'call_2'), ...answers, call('call_3')]));
    expect(third).toMatchObject({ content: 'Done.', calls: [] });
    // The next run follows it from the beginning.
    expect((await other.respond(request([asked]))).calls.map(({ id }) => id)).toEqual(['call_1', 'call_2']);
  });

  it('begins at its first turn when what was said before is history', async () => {
    const model = scriptedModel(script, { by: 'transcript' });
    const before: ModelMessage[] = [asked, { role: 'assistant', content: 'Hello.', calls: [] }];
    expect((await model.respond(request([...before, asked]))).calls).toHaveLength(2);
  });
});
