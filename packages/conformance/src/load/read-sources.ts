import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SuppressionComment } from '../model/suppression.js';
import type { LoadedProject } from './loaded-project.js';

/** What a run has read, as text: for its report, and for the message of one that found nothing. */
export class ReadSources {
  /** Texts by path relative to the working directory. */
  readonly texts = new Map<string, string>();
  /** The files that were checked. */
  readonly files = new Set<string>();
  readonly skippedTests = new Set<string>();
  readonly comments: SuppressionComment[] = [];
  readonly notes: string[];

  constructor(notes: readonly string[]) {
    this.notes = [...notes];
  }

  add(project: LoadedProject, notes: readonly string[]): void {
    this.notes.push(...notes);
    for (const file of project.ownFiles) {
      this.texts.set(project.relative(file.fileName), file.text);
    }
    project.sourceFiles.forEach((file) => this.files.add(project.relative(file.fileName)));
    project.testFiles.forEach((file) => this.skippedTests.add(file.fileName));
  }

  addComments(comments: readonly SuppressionComment[]): void {
    this.comments.push(...comments);
  }

  /** A file that is no source, such as a manifest; nothing when it is not there. */
  addText(cwd: string, file: string): void {
    try {
      this.texts.set(file, readFileSync(path.resolve(cwd, file), 'utf8'));
    } catch {
      // A finding in it is then shown without its code.
    }
  }
}
