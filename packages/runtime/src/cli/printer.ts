import Table from 'cli-table3';
import { stringify } from 'csv-stringify/sync';
import { escapeText, escapedJson } from './escape-text.js';
import type { Terminal } from './terminal.js';

/** A value of a cell; null and false are nothing. */
export type Cell = string | number | null;

const NO_BORDER = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};

/** What a command says: to a person, or as one JSON document. Everything is escaped on the way. */
export class Printer {
  readonly isJson: boolean;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal, isJson: boolean) {
    this.#terminal = terminal;
    this.isJson = isJson;
  }

  /** The document of a command that was asked for JSON; nothing otherwise. */
  json(value: unknown): void {
    if (this.isJson) {
      this.document(value);
    }
  }

  /** A JSON document, however it was asked for. */
  document(value: unknown): void {
    this.#terminal.stdout.write(`${escapedJson(value)}\n`);
  }

  /** Comma-separated values after RFC 4180. What a spreadsheet would take for a formula gets a quote before it. */
  csv(head: readonly string[], rows: readonly (readonly Cell[])[]): void {
    const cells = [head, ...rows].map((row) =>
      row.map((cell) => (typeof cell === 'string' ? escapeText(cell) : cell)),
    );
    this.#terminal.stdout.write(stringify(cells, { escape_formulas: true, record_delimiter: 'windows' }));
  }

  /** A line for a person. */
  line(text = ''): void {
    if (!this.isJson) {
      this.#terminal.stdout.write(`${escapeText(text)}\n`);
    }
  }

  /** A line beside the output, for a person who watches. */
  aside(text: string): void {
    this.#terminal.stderr.write(`toolwright-runtime: ${escapeText(text)}\n`);
  }

  table(head: readonly string[], rows: readonly (readonly Cell[])[]): void {
    this.#table(rows, head);
  }

  /** Names and values, one pair a line. Pairs without a value are left out. */
  pairs(pairs: readonly (readonly [string, Cell])[]): void {
    this.#table(pairs.filter(([, value]) => value !== null));
  }

  #table(rows: readonly (readonly Cell[])[], head: readonly string[] = []): void {
    if (this.isJson || rows.length === 0) {
      return;
    }
    const table = new Table({
      head: [...head],
      chars: NO_BORDER,
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2, compact: true },
    });
    table.push(...rows.map((row) => row.map((cell) => escapeText(cell === null ? '' : String(cell)))));
    const lines = table
      .toString()
      .split('\n')
      .map((line) => line.trimEnd());
    this.#terminal.stdout.write(`${lines.join('\n')}\n`);
  }
}
