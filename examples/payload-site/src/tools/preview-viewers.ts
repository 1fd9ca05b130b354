import type { Viewer } from '@toolwright/sdk';

/** Whether somebody who looks at a preview may see the record that it shows. Asked each time anew. */
export type MayViewRecord = (table: 'pages' | 'images', id: number, viewer: Viewer) => Promise<boolean>;
