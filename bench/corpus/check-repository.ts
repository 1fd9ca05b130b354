import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(
  new URL('../../packages/conformance/bin/toolwright-conformance.js', import.meta.url),
);
const USAGE = new URL('report-usage.mjs', import.meta.url).href;

export interface CheckedTool {
  readonly id: string;
  readonly name: string | null;
  readonly effect: string | null;
  readonly declared: boolean;
  readonly framework: string;
  readonly file: string;
  readonly line: number;
}

export interface CheckedVerdict {
  readonly toolId: string | null;
  readonly rule: string;
  readonly verdict: 'proven' | 'violated' | 'inconclusive' | 'not_applicable';
  readonly confidence: string;
  readonly reason: string;
}

/** What the command answered for one repository, or why it did not. */
export interface CheckedRepository {
  readonly tools: readonly CheckedTool[];
  readonly verdicts: readonly CheckedVerdict[];
  /** Empty when the command did its work. */
  readonly problem: string;
  readonly exitCode: number | null;
  readonly wallSeconds: number;
  /** Null when the command was stopped. */
  readonly cpuSeconds: number | null;
  readonly megabytes: number | null;
}

interface Document {
  readonly tools?: readonly CheckedTool[];
  readonly verdicts?: readonly CheckedVerdict[];
  readonly error?: { readonly code: string; readonly message: string };
}

/** Runs the built command on a folder, in a process of its own that a hang or a crash ends with. */
export async function checkRepository(folder: string, limitSeconds: number): Promise<CheckedRepository> {
  const output = path.join(tmpdir(), `corpus-${String(process.pid)}-${path.basename(folder)}.json`);
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', USAGE, COMMAND, '--format', 'json', '--output', output],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const [errors, usage] = [collect(child.stdio[2]), collect(child.stdio[3])];
  const limit = setTimeout(() => child.kill('SIGKILL'), limitSeconds * 1000);
  const [exitCode, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on('close', (code, by) => {
      resolve([code, by]);
    });
  });
  clearTimeout(limit);
  const wallSeconds = (performance.now() - startedAt) / 1000;
  const document = readDocument(output);
  const measured = parse(usage()) as { readonly cpuSeconds: number; readonly megabytes: number } | null;
  return {
    tools: document?.tools ?? [],
    verdicts: document?.verdicts ?? [],
    problem: problemOf(document, { signal, exitCode, errors: errors(), limitSeconds }),
    exitCode,
    wallSeconds,
    cpuSeconds: measured?.cpuSeconds ?? null,
    megabytes: measured?.megabytes ?? null,
  };
}

function problemOf(
  document: Document | null,
  ended: {
    readonly signal: string | null;
    readonly exitCode: number | null;
    readonly errors: string;
    readonly limitSeconds: number;
  },
): string {
  const { signal, exitCode, errors, limitSeconds } = ended;
  if (signal !== null) {
    return signal === 'SIGKILL' ? `stopped after ${String(limitSeconds)} s` : `ended by ${signal}`;
  }
  if (document?.error !== undefined) {
    return `${document.error.code}: ${firstLine(document.error.message)}`;
  }
  return document === null ? `exit ${String(exitCode)} without a report: ${firstLine(errors)}` : '';
}

function collect(stream: unknown): () => string {
  const chunks: Buffer[] = [];
  (stream as NodeJS.ReadableStream).on('data', (chunk: Buffer) => {
    chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function readDocument(fileName: string): Document | null {
  try {
    return parse(readFileSync(fileName, 'utf8')) as Document | null;
  } catch {
    return null;
  } finally {
    rmSync(fileName, { force: true });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
