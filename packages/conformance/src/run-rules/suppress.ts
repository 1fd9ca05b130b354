import picomatch from 'picomatch';
import type { ReportedDiagnostic, SuppressedDiagnostic } from '../model/report.js';
import type { ConfiguredSuppression, SuppressionComment } from '../model/suppression.js';

export interface Suppressed {
  readonly standing: readonly ReportedDiagnostic[];
  readonly suppressed: readonly SuppressedDiagnostic[];
  /** Requests that were refused, or that met nothing. */
  readonly notes: readonly string[];
}

/** Sets aside the findings that a comment or the configuration asks to leave out, with its reason. */
export function applySuppressions(
  diagnostics: readonly ReportedDiagnostic[],
  comments: readonly SuppressionComment[],
  configured: readonly ConfiguredSuppression[],
  knownRules: ReadonlySet<string>,
): Suppressed {
  const standing: ReportedDiagnostic[] = [];
  const suppressed: SuppressedDiagnostic[] = [];
  const notes = comments.flatMap((comment) => refusalsOf(comment, knownRules));
  const used = new Set<SuppressionComment | ConfiguredSuppression>();
  for (const diagnostic of diagnostics) {
    const asked = comments.filter((comment) => isAbout(comment, diagnostic));
    const comment = asked.find(({ reason }) => reason !== '');
    const granted = comment ?? configured.find((one) => matches(one, diagnostic));
    asked.forEach((one) => used.add(one));
    if (granted !== undefined) {
      used.add(granted);
      const by = comment === undefined ? 'configuration' : 'comment';
      suppressed.push({ diagnostic, by, reason: granted.reason });
    } else if (asked.length > 0) {
      standing.push({
        ...diagnostic,
        message: `${diagnostic.message} (The toolwright-ignore comment here gives no reason, so it was refused.)`,
      });
    } else {
      standing.push(diagnostic);
    }
  }
  for (const comment of comments) {
    if (!used.has(comment) && refusalsOf(comment, knownRules).length === 0) {
      notes.push(
        `${placeOf(comment)}: the toolwright-ignore comment meets no finding of ${comment.rules.join(', ')}. Remove it.`,
      );
    }
  }
  for (const one of configured) {
    if (!used.has(one)) {
      notes.push(
        `The suppression of ${one.rule} in the configuration (${one.reason}) meets no finding. Remove it.`,
      );
    }
  }
  return { standing, suppressed, notes };
}

function refusalsOf(comment: SuppressionComment, knownRules: ReadonlySet<string>): string[] {
  const form = 'Write: toolwright-ignore <rule-id> -- <reason>';
  if (comment.rules.length === 0) {
    return [`${placeOf(comment)}: the toolwright-ignore comment names no rule, so it was refused. ${form}.`];
  }
  const unknown = comment.rules.filter((rule) => !knownRules.has(rule));
  return [
    ...unknown.map(
      (rule) =>
        `${placeOf(comment)}: the toolwright-ignore comment names the rule ${JSON.stringify(rule)}, which does not exist.`,
    ),
    ...(comment.reason === ''
      ? [`${placeOf(comment)}: the toolwright-ignore comment gives no reason, so it was refused. ${form}.`]
      : []),
  ];
}

function placeOf({ location }: SuppressionComment): string {
  return `${location.file}:${String(location.line)}`;
}

function isAbout(comment: SuppressionComment, diagnostic: ReportedDiagnostic): boolean {
  return (
    comment.location.file === diagnostic.location.file &&
    comment.line === diagnostic.location.line &&
    comment.rules.includes(diagnostic.rule)
  );
}

function matches(asked: ConfiguredSuppression, diagnostic: ReportedDiagnostic): boolean {
  return (
    asked.rule === diagnostic.rule &&
    (asked.tool === undefined || asked.tool === diagnostic.tool) &&
    (asked.fingerprint === undefined || asked.fingerprint === diagnostic.fingerprint) &&
    (asked.file === undefined || picomatch.isMatch(diagnostic.location.file, asked.file, { dot: true }))
  );
}
