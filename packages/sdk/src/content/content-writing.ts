import { SdkError } from '../errors.js';
import type { WriteTarget } from '../target/write-target.js';
import type { ContentReader, ContentWriter } from './content-access.js';
import { ContentWriteError, WriteLostError } from './content-errors.js';
import { assertData, assertTable, assertTarget, optionsOf } from './content-operation.js';
import { currentFrame } from './content-run.js';
import type { ContentCall, ContentWrite } from './raw-content-handler.js';
import { WriteRun, type RawContentHandlerFactory } from './write-run.js';
import type { WriteSetting } from './write-setting.js';

/** The three writes. Each is one run of the content system, with a raw handler of its own. */
export function openWriter(
  call: ContentCall,
  factory: RawContentHandlerFactory,
  setting: Omit<WriteSetting, 'operation'>,
): Omit<ContentWriter, keyof ContentReader> {
  const run = async (operation: ContentWrite): Promise<WriteTarget> => {
    assertCallIsOpen(call);
    const outer = currentFrame();
    const settled = setting.ledger.begin();
    try {
      return await new WriteRun(call, factory, { ...setting, operation }, outer).perform();
    } catch (error) {
      // The outer run of a nested one decides what its failure means.
      if (outer === undefined && (error instanceof ContentWriteError || error instanceof WriteLostError)) {
        setting.ledger.fail(error);
      }
      throw error;
    } finally {
      settled();
    }
  };
  return {
    create: (table, data, options) =>
      handled(async () => {
        assertTable(table);
        assertData(data);
        return run({ kind: 'create', table, data, options: optionsOf(options) });
      }),
    update: (target, data, options) =>
      handled(async () => {
        assertTarget(target);
        assertData(data);
        return run({ kind: 'update', target, data, options: optionsOf(options) });
      }),
    delete: (target, options) =>
      handled(async () => {
        assertTarget(target);
        return run({ kind: 'delete', target, options: optionsOf(options) });
      }),
  };
}

// A tool that does not wait for its write must not end the process when that fails later.
function handled(write: () => Promise<WriteTarget>): Promise<WriteTarget> {
  const writing = write();
  writing.catch(() => undefined);
  return writing;
}

function assertCallIsOpen(call: ContentCall): void {
  if (call.signal.aborted) {
    throw new SdkError(
      'CONTENT_CALL_ENDED',
      'Cannot write: the call has ended (its deadline passed, or it was cancelled). This write was not started.',
    );
  }
}
