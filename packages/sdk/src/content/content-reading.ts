import { SdkError } from '../errors.js';
import { errorClass } from '../failure/thrown-value.js';
import type { ContentReader } from './content-access.js';
import type { ContentLog } from './content-log.js';
import { assertTable, assertTarget, boundedQuery, optionsOf } from './content-operation.js';
import { currentFrame, type ContentRun } from './content-run.js';
import type { ContentCall, RawContentHandler } from './raw-content-handler.js';
import type { RawContentHandlerFactory } from './write-run.js';

/** The reading half. It has no write method at all, at run time either. */
export function openReader(
  call: ContentCall,
  factory: RawContentHandlerFactory,
  log: ContentLog,
): ContentReader {
  const reading = async <T>(read: (raw: RawContentHandler) => Promise<T>): Promise<T> => {
    try {
      return await read(await factory(readRun(call)));
    } catch (cause) {
      log.failure('content could not be read', cause);
      throw new SdkError(
        'CONTENT_READ_FAILED',
        `Cannot read content: the content system failed (${errorClass(cause)}).`,
        { cause },
      );
    }
  };
  return {
    async read(target, options) {
      assertTarget(target);
      const readOptions = optionsOf(options);
      return reading((raw) => raw.read(target, readOptions));
    },
    async find(table, query) {
      assertTable(table);
      const bounded = boundedQuery(query);
      // A binding that ignores the limit must not flood a model.
      return (await reading((raw) => raw.find(table, bounded))).slice(0, bounded.limit);
    },
  };
}

// A read writes nothing, so there is nothing to tell apart: whatever fails in it fails the read.
function readRun(call: ContentCall): ContentRun {
  const { actor, runId, callId, signal } = call;
  return {
    actor,
    runId,
    callId,
    signal,
    isNested: currentFrame() !== undefined,
    depth: 0,
    async runHooks(hooks) {
      for (const hook of hooks) {
        await hook.run();
      }
      return true;
    },
    enter: (code) => code(),
  };
}
