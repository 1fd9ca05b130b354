import { SdkError, ToolResult, type RefusedResult, type WriteTarget } from '@toolwright/sdk';

// One sentence for a page that is missing, one that is in somebody else's hands and one that may be read but
// not changed: a refusal must not tell which ids exist.
const NO_PAGE = 'There is no such page that you may use for this.';
const NO_IMAGE = 'There is no such image that you may use for this.';

export const noPage = (): RefusedResult => ToolResult.refused(NO_PAGE);
export const noImage = (): RefusedResult => ToolResult.refused(NO_IMAGE);

/** As the first line of a preview. */
export const NO_PAGE_PREVIEW: readonly string[] = [`${NO_PAGE} The call would be refused.`];
export const NO_IMAGE_PREVIEW: readonly string[] = [`${NO_IMAGE} The call would be refused.`];

/** Runs a write; null when the content system refused it, which has written nothing. Other failures pass. */
export async function unlessRefused(write: () => Promise<WriteTarget>): Promise<WriteTarget | null> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof SdkError && error.code === 'CONTENT_REFUSED') {
      return null;
    }
    throw error;
  }
}
