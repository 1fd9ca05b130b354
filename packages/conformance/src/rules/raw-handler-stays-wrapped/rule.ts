import type { RawHandlerUse } from '../../model/fact-base.js';
import type { Rule } from '../../model/rule.js';
import type { Diagnostic } from '../../model/verdict.js';

const ID = 'raw-handler-stays-wrapped';

const WHAT: Readonly<Record<RawHandlerUse['kind'], string>> = {
  constructed: 'is constructed',
  factory: 'is made by a factory',
  looked_up: 'is looked up in a container',
  subclassed: 'is subclassed',
  injected: 'is injected',
  used: 'is used',
};

/** A write around the safe handler is neither read back nor named, so nobody can say whether it landed. */
export const rawHandlerStaysWrapped: Rule = {
  id: ID,
  summary: "The raw content handler is constructed, and used, nowhere outside the safe wrapper's factory.",
  check({ rawHandler }) {
    const diagnostics = rawHandler.uses.map(diagnosticOf);
    const isViolated = diagnostics.some(({ verdict }) => verdict === 'violated');
    const base = { rule: ID, toolId: null, location: null, confidence: 'proven' } as const;
    if (!rawHandler.isPresent && diagnostics.length === 0) {
      const reason = 'No raw content handler is known in this project.';
      return { verdicts: [{ ...base, verdict: 'not_applicable', reason }], diagnostics };
    }
    const [first] = diagnostics;
    if (first === undefined) {
      return { verdicts: [{ ...base, verdict: 'proven', reason: '' }], diagnostics };
    }
    const count = String(diagnostics.length);
    return {
      verdicts: [
        {
          ...base,
          verdict: isViolated ? 'violated' : 'inconclusive',
          reason: `${count} ${diagnostics.length === 1 ? 'place reaches' : 'places reach'} a raw handler outside the wrapper's factory${isViolated ? '' : ', as far as the source says'}.`,
        },
      ],
      diagnostics,
    };
  },
};

function diagnosticOf(use: RawHandlerUse): Diagnostic {
  const isCertain = use.certainty === 'certain';
  const what = `The raw content handler ${use.handler} ${WHAT[use.kind]} here, outside the factory that is handed to safeContentHandler`;
  return {
    rule: ID,
    verdict: isCertain ? 'violated' : 'inconclusive',
    message: isCertain
      ? `${what}${use.why === '' ? '' : ` (${use.why})`}. Take the content handler from the tool's context, or move this into that factory.`
      : `It cannot be decided whether the raw content handler ${use.handler} ${WHAT[use.kind]} here: ${use.why}.`,
    toolId: null,
    location: use.location,
    confidence: 'proven',
    witness: use.witness,
  };
}
