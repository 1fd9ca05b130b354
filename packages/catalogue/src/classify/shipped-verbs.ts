import { readJson } from '../load/read-data.js';
import { VerbReader, type VerbData } from './verb.js';

let reader: VerbReader | null = null;

/** The verbs of `verbs.json`. */
export function readVerbs(): VerbReader {
  reader ??= new VerbReader(readJson('verbs.json') as VerbData);
  return reader;
}
