import type { CallToolResult } from '@modelcontextprotocol/server';
import { answerWithNotes } from '../call/call-wording.js';
import type { CallRecord } from '../call/tool-call.js';
import { isWrite } from '../effect/tool-effect.js';
import type { WriteTarget } from '../target/write-target.js';

/** The `_meta` key of an answer: `landed`, `not_landed` or `unknown`. On answers of writing tools. */
export const OUTCOME_META_KEY = 'dev.toolwright/outcome';
/** The `_meta` key of an answer: the record that was written, `{ table, uid }`. */
export const TARGET_META_KEY = 'dev.toolwright/target';
/** The `_meta` key of an answer of unknown outcome: records that are known to be written all the same. */
export const LANDED_META_KEY = 'dev.toolwright/landed';

/**
 * What goes over the wire: the text for the model, whether it is an error, and outcome and target
 * beside it. Artifacts stay here, and there is no structured content, so nothing can fail to validate
 * after a write landed.
 */
export function toCallToolResult(record: CallRecord, maxContentBytes: number): CallToolResult {
  const { result, notes } = record;
  const meta = outcomeMeta(record);
  return {
    content: [{ type: 'text', text: answerWithNotes(result.content, notes, maxContentBytes) }],
    isError: result.isError,
    ...(meta === null ? {} : { _meta: meta }),
  };
}

function outcomeMeta(record: CallRecord): Record<string, unknown> | null {
  const { target } = record.result;
  if (!isWrite(record.effect) && target === null) {
    return null;
  }
  return {
    [OUTCOME_META_KEY]: record.outcome,
    ...(target === null ? {} : { [TARGET_META_KEY]: plainTarget(target) }),
    ...(target === null && record.landed.length > 0
      ? { [LANDED_META_KEY]: record.landed.map((write) => plainTarget(write.target)) }
      : {}),
  };
}

function plainTarget({ table, uid }: WriteTarget): { table: string; uid: string | number } {
  return { table, uid };
}
