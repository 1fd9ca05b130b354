import type { SafeContentHandler, WriteTarget } from '@toolwright/sdk';
import { InMemoryContent } from '@toolwright/sdk/testing';

/** A content system to derive outcomes from. One of another system has a file like this one and a line in derive-cost.ts. */
export interface BenchContent {
  /** Marks its writes with `history`. */
  readonly handler: SafeContentHandler & Required<Pick<SafeContentHandler, 'history'>>;
  readonly table: string;
  /** What the tool writes into record number so and so. */
  data(index: number): Readonly<Record<string, unknown>>;
  /** What a person does, outside of every run. */
  edit(target: WriteTarget): Promise<void>;
  release(target: WriteTarget): Promise<void>;
  remove(target: WriteTarget): Promise<void>;
  close(): Promise<void>;
}

export type OpenBenchContent = () => Promise<BenchContent>;

/** Records and their history in the memory of this process. */
export const openInMemory: OpenBenchContent = () => {
  const content = new InMemoryContent();
  const { history } = content;
  return Promise.resolve({
    handler: { open: (call) => content.open(call), history },
    table: 'pages',
    data: (index) => ({ title: `Page ${String(index)}`, body: 'What it is about. '.repeat(10) }),
    async edit(target) {
      content.edit(target, { title: 'Better' });
    },
    async release(target) {
      content.release(target);
    },
    async remove(target) {
      content.remove(target);
    },
    close: () => Promise.resolve(),
  });
};
