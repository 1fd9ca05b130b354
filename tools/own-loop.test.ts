/**
 * The loop rebuilds every result, which is where a target gets lost. Its source is checked as it is, and once
 * more with the rebuild broken in one branch, to see that the check would notice.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { analyze, type Report } from '@toolwright/conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './workspace.js';

const RUNTIME = 'packages/runtime';
const REBUILD = `${RUNTIME}/src/loop/bound-result.ts`;
// On a machine that is busy with other things; a quiet one needs a tenth.
const CHECKING_MS = 300_000;

let root: string;

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'toolwright-own-loop-'));
  for (const copied of [
    'tsconfig.base.json',
    `${RUNTIME}/src`,
    `${RUNTIME}/package.json`,
    `${RUNTIME}/tsconfig.json`,
  ]) {
    cpSync(path.join(ROOT, copied), path.join(root, copied), { recursive: true });
  }
  for (const linked of ['node_modules', `${RUNTIME}/node_modules`, 'packages/sdk']) {
    symlinkSync(path.join(ROOT, linked), path.join(root, linked));
  }
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

describe("the loop's own rebuild", () => {
  it('keeps every field of a result as it is written', { timeout: CHECKING_MS }, () => {
    expect(rebuildVerdicts()).toEqual(['proven']);
  });

  it('is found out when one branch drops the target', { timeout: CHECKING_MS }, () => {
    const file = path.join(root, REBUILD);
    const whole = readFileSync(file, 'utf8');
    const broken = whole.replace(
      'const bounded = result.withContent(boundContent(result.content, MAX_CONTENT_BYTES));',
      'const content = boundContent(result.content, MAX_CONTENT_BYTES);\n' +
        "  const bounded = result.kind === 'error' ? ToolResult.error(content) : result.withContent(content);",
    );
    expect(broken).not.toBe(whole);
    writeFileSync(
      file,
      broken.replace('import type { ToolArtifact, ToolResult }', 'import { type ToolArtifact, ToolResult }'),
    );

    const report = check();
    const [finding] = report.diagnostics.filter(({ location }) => location.file === REBUILD);

    expect(finding).toMatchObject({ rule: 'result-rebuild-keeps-fields', verdict: 'violated' });
    expect(finding?.message).toContain('`target`');
    expect(finding?.witness.length).toBeGreaterThan(0);
  });
});

/** What is said of each place in the rebuild's file, once each. */
function rebuildVerdicts(): readonly string[] {
  const verdicts = check().verdicts.filter(({ rule }) => rule === 'result-rebuild-keeps-fields');
  return [...new Set(verdicts.map(({ verdict }) => verdict))];
}

function check(): Report {
  return analyze({ cwd: root, paths: [path.join(root, RUNTIME)] });
}
