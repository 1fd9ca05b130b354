import OpenAI from 'openai';
import { RuntimeError } from '../../errors.js';
import type { Model, ModelRequest, ModelTurn } from '../model.js';
import { assembleStream } from './assemble-stream.js';
import { toModelError } from './openai-failure.js';
import { fromCompletion, toRequestBody, withFreshIds } from './openai-wire.js';

export interface OpenAiModelOptions {
  /** The model's name, as the server knows it. */
  readonly model: string;
  /** The key, or null for a server that asks for none. It is sent, and never logged. */
  readonly apiKey: string | null;
  /** Default: `https://api.openai.com/v1`. */
  readonly baseUrl?: string;
  /** Whether the answer is streamed. Default false. */
  readonly stream?: boolean;
  /** Further parameters of the request, for example `{ temperature: 0 }`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Headers of the host's own, for example for a gateway. */
  readonly headers?: Readonly<Record<string, string>>;
}

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
/** The loop has deadlines of its own; this only ends what nobody waits for any more. */
const TIMEOUT_MS = 600_000;

/**
 * A model behind an OpenAI-compatible chat-completions endpoint. It asks once and never retries: the
 * loop decides about that. Nothing is read from the environment.
 *
 * @throws RuntimeError with code `INVALID_CONFIGURATION` when the model's name or the base URL is none.
 */
export function openAiModel(options: OpenAiModelOptions): Model {
  const { model, stream = false, parameters = {} } = options;
  if (typeof model !== 'string' || model === '') {
    throw invalid('model', 'the name of a model', 'none');
  }
  const client = clientOf(options);
  return {
    async respond(request: ModelRequest): Promise<ModelTurn> {
      const body = toRequestBody(model, request, parameters);
      const controls = {
        signal: request.signal,
        headers: {
          'X-Client-Request-Id': request.correlationId.replace(/[^\x21-\x7e]/gu, '_').slice(0, 200),
        },
      };
      try {
        const turn = stream
          ? await assembleStream(
              await client.chat.completions.create(
                { ...body, stream: true, stream_options: { include_usage: true } },
                controls,
              ),
              request.onText,
            )
          : fromCompletion(await client.chat.completions.create({ ...body, stream: false }, controls));
        return withFreshIds(turn, request.messages);
      } catch (error) {
        throw toModelError(error);
      }
    },
  };
}

function clientOf({ apiKey, baseUrl = DEFAULT_BASE_URL, headers = {} }: OpenAiModelOptions): OpenAI {
  if (!URL.canParse(baseUrl) || !/^https?:$/u.test(new URL(baseUrl).protocol)) {
    throw invalid('baseUrl', 'an http or https URL', 'something else');
  }
  if (apiKey === '') {
    throw invalid('apiKey', 'a key, or null for a server without keys', 'an empty text');
  }
  return new OpenAI({
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: baseUrl,
    maxRetries: 0,
    timeout: TIMEOUT_MS,
    // The client's own log prints requests; its level would otherwise come from the environment.
    logLevel: 'off',
    defaultHeaders: { ...headers, ...(apiKey === null ? { Authorization: null } : {}) },
  });
}

function invalid(option: string, expected: string, found: string): RuntimeError {
  return new RuntimeError(
    'INVALID_CONFIGURATION',
    `Cannot make an OpenAI-compatible model: expected ${option} to be ${expected}, found ${found}.`,
  );
}
