import { WriteTarget, type ContentData, type ContentReader } from '@toolwright/sdk';

export type Locale = 'en' | 'de';

export const pageTarget = (id: number): WriteTarget => WriteTarget.of('pages', id);

/** The latest draft of a page as the acting user may see it, in one language and without a stand-in; or null. */
export async function readDraft(
  content: ContentReader,
  id: number,
  locale: Locale = 'en',
): Promise<ContentData | null> {
  const record = await content.read(pageTarget(id), { draft: true, locale, fallbackLocale: false });
  return record?.data ?? null;
}

/** An image as the acting user may see it, in one language and without a stand-in; or null. */
export async function readImageIn(
  content: ContentReader,
  id: number,
  locale: Locale,
): Promise<ContentData | null> {
  const record = await content.read(WriteTarget.of('images', id), { locale, fallbackLocale: false });
  return record?.data ?? null;
}

/** A text field; empty where there is none. */
export function textOf(data: ContentData, field: string): string {
  const value = data[field];
  return typeof value === 'string' ? value : '';
}

/** A block of a page; what a tool does not name stays as it is. */
export interface LayoutBlock {
  readonly id: string;
  readonly blockType: string;
  /** Of a text block. */
  readonly text?: string | null;
}

export function blocksOf(data: ContentData): readonly LayoutBlock[] {
  const { layout } = data;
  return Array.isArray(layout) ? (layout as readonly LayoutBlock[]) : [];
}

/** A block as one line of a preview or an answer. */
export function blockLine({ id, blockType, text }: LayoutBlock): string {
  const excerpt = (text ?? '').slice(0, 60);
  return excerpt === '' ? `${id} (${blockType})` : `${id} (${blockType}: ${excerpt})`;
}
