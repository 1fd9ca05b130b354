import type { PauseCard } from '../../approval/approval-desk.js';
import type { LateEvidence } from '../../audit/run-journal.js';
import type { Step } from '../../audit/step.js';
import type { Runtime } from '../../create-runtime.js';
import { RuntimeError } from '../../errors.js';
import { runNotFound } from '../../approval/approval-desk.js';
import type { RunSummary } from '../../operator/run-operations.js';
import { AS, positional, textOption } from '../arguments.js';
import type { Command } from '../command.js';
import type { Printer } from '../printer.js';
import { standing } from '../standing.js';
import { recordLine, stepLine } from '../step-line.js';

/** What was said in a run, or why it cannot be read. */
type Said =
  | { readonly steps: readonly Step[]; readonly cards: readonly PauseCard[] }
  | { readonly error: RuntimeError };

export const show: Command = {
  name: 'show',
  summary: 'show a run: its state, what waits for a decision, its trace, and what came to light too late',
  positionals: ['RUN'],
  options: {
    as: { ...AS, help: 'who looks; a preview is withheld unless its tool lets this person see it' },
  },
  async run(context) {
    const { printer } = context;
    const runId = positional(context, 0, 'the id of a run');
    const id = textOption(context, 'as');
    const runtime = await context.runtime();
    const run = await runtime.operations.find(runId);
    const lateEvidence = await runtime.operations.lateEvidence(runId);
    if (run === null) {
      // What is known of a write outlives its run.
      if (lateEvidence.length > 0) printEvidence(printer, lateEvidence);
      throw runNotFound(runId);
    }
    const said = await readSaid(runtime, runId, id);
    if (!('error' in said)) {
      printer.json({ run, lateEvidence, pauses: said.cards, steps: said.steps });
    }
    printRun(printer, run);
    printEvidence(printer, lateEvidence);
    if ('error' in said) {
      printer.line();
      throw said.error;
    }
    said.cards.forEach((card) => {
      printCard(printer, card, id);
    });
    printTrace(printer, said.steps);
    printRemedy(printer, run, said.cards);
  },
};

/** A run whose key is not here has a state all the same. */
async function readSaid(runtime: Runtime, runId: string, id: string | null): Promise<Said> {
  const viewer = id === null ? undefined : { id };
  try {
    const steps = await runtime.trace(runId, viewer);
    const pauses = await runtime.pauses(runId);
    return { steps, cards: await Promise.all(pauses.map((pause) => runtime.card(pause, viewer))) };
  } catch (error) {
    if (error instanceof RuntimeError) {
      return { error };
    }
    throw error;
  }
}

function printRun(printer: Printer, run: RunSummary): void {
  const { openWrite, deadLetter } = run;
  printer.pairs([
    ['run', run.runId],
    ['status', run.status],
    ['actor', run.actor.id],
    ['correlation id', run.correlationId === run.runId ? null : run.correlationId],
    ['created', run.createdAt],
    ['changed', run.updatedAt],
    ['lease until', run.leaseExpiresAt],
    ['dead letter', deadLetter === null ? null : `${deadLetter.reason}, ${deadLetter.detail ?? 'unknown'}`],
    [
      'open write',
      openWrite === null
        ? null
        : `${openWrite.tool} [${openWrite.callId}], ${openWrite.effect}: nobody knows whether it wrote`,
    ],
    ['more', deadLetter === null && openWrite === null && standing(run) !== '' ? standing(run) : null],
  ]);
}

function printEvidence(printer: Printer, evidence: readonly LateEvidence[]): void {
  if (evidence.length === 0) {
    return;
  }
  printer.line();
  printer.line('Came to light too late to change the run:');
  printer.table(
    ['CALL', 'TOOL', 'CAUSE', 'THE CALL', 'ANSWERED WITH', 'LANDED'],
    evidence.map(({ callId, tool, cause, ending, target, landed }) => [
      callId,
      tool,
      cause,
      ending,
      target === null ? '' : recordLine(target),
      landed.map(recordLine).join(', '),
    ]),
  );
}

function printCard(printer: Printer, card: PauseCard, id: string | null): void {
  printer.line();
  printer.line(`${card.tool} [${card.callId}], ${card.effect}, waits for a decision:`);
  card.why.forEach((line) => {
    printer.line(`  ${line}`);
  });
  printer.pairs([
    ['  digest', card.digest],
    ['  expires', card.expiresAt],
    ['  previewed', card.previewedAt],
  ]);
  if (card.preview === null) {
    printer.line(`  The preview is withheld from ${id ?? 'whoever does not say who looks (--as)'}.`);
    return;
  }
  card.preview.lines.forEach((line) => {
    printer.line(`  | ${line}`);
  });
}

function printTrace(printer: Printer, steps: readonly Step[]): void {
  printer.line();
  printer.table(
    ['STEP', 'AT', 'KIND', 'WHAT'],
    steps.map((step) => [step.seq, step.at, step.kind, stepLine(step)]),
  );
}

function printRemedy(printer: Printer, run: RunSummary, cards: readonly PauseCard[]): void {
  const remedies = [
    run.openWrite === null
      ? null
      : `Read the record that ${run.openWrite.tool} would have written, then: toolwright-runtime resolve ${run.runId} --landed TABLE:UID --as YOU (or --not-landed)`,
    run.deadLetter === null ? null : `When its cause is gone: toolwright-runtime requeue ${run.runId}`,
    cards.length === 0 ? null : `Decide: toolwright-runtime approve ${run.runId} CALL --as YOU (or decline)`,
  ].filter((line) => line !== null);
  if (remedies.length > 0) {
    printer.line();
  }
  remedies.forEach((line) => {
    printer.line(line);
  });
}
