import type { Rating } from '../../outcome/outcome-ledger.js';
import { badArguments, positional } from '../arguments.js';
import type { Command, CommandInput } from '../command.js';

export const rate: Command = {
  name: 'rate',
  summary: 'say whether what a call wrote was helpful; a later word takes the place of an earlier one',
  positionals: ['RUN', 'CALL'],
  options: {
    helpful: { type: 'boolean', help: 'it was' },
    'not-helpful': { type: 'boolean', help: 'it was not' },
  },
  async run(context) {
    const runId = positional(context, 0, 'the id of a run');
    const callId = positional(context, 1, 'the id of a call, as the trace of the run has it');
    const rating = ratingOf(context);
    await (await context.runtime()).outcomes.rate({ runId, callId }, rating);
    context.printer.json({ runId, callId, rating });
    context.printer.line(`Call ${callId} is rated ${rating === 'helpful' ? 'helpful' : 'not helpful'}.`);
  },
};

function ratingOf({ options }: CommandInput): Rating {
  const isHelpful = options['helpful'] === true;
  if (isHelpful === (options['not-helpful'] === true)) {
    throw badArguments(
      `Expected either --helpful or --not-helpful, found ${isHelpful ? 'both' : 'neither'}.`,
    );
  }
  return isHelpful ? 'helpful' : 'not_helpful';
}
