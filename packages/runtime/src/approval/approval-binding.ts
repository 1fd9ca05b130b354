import type { Preview } from '@toolwright/sdk';
import type { PreparedCall } from '../audit/prepared-call.js';
import { canonicalJson, digestOf } from '../json/canonical-json.js';

/**
 * What an approval is given for, as one digest: the run, the call id, the tool's name, effect and
 * version, the exact stored arguments and the preview that was shown. Whatever changes, the digest
 * does, and the decision is void.
 */
export function approvalDigest(
  runId: string,
  call: Pick<PreparedCall, 'callId' | 'tool' | 'effect' | 'toolVersion' | 'arguments'>,
  preview: Preview,
): string {
  return digestOf(
    canonicalJson({
      runId,
      callId: call.callId,
      tool: call.tool,
      effect: call.effect,
      toolVersion: call.toolVersion,
      arguments: digestOf(call.arguments ?? ''),
      preview: digestOf(canonicalJson({ lines: preview.lines, isCut: preview.isCut })),
    }),
  );
}
