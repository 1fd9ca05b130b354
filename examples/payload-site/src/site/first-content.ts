import { randomBytes } from 'node:crypto';
import type { File, Payload } from 'payload';

/** The ids of what a fresh site starts with. */
export interface FirstContent {
  readonly editor: number;
  readonly otherEditor: number;
  readonly chief: number;
  /** A published page of the editor's, in English, with three blocks. */
  readonly about: number;
  /** A draft of the other editor's. */
  readonly secretPlans: number;
  readonly logo: number;
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const LOGO: File = { name: 'logo.png', data: PIXEL, mimetype: 'image/png', size: PIXEL.length };

/** Fills an empty site. The people have passwords that nobody knows: they are there to be acted for. */
export async function addFirstContent(payload: Payload): Promise<FirstContent> {
  const person = async (name: string, role: 'editor' | 'chief'): Promise<number> => {
    const data = { name, role, email: `${name}@site.example`, password: randomBytes(24).toString('hex') };
    return idOf(await payload.create({ collection: 'users', data }));
  };
  const editor = await person('ada', 'editor');
  const otherEditor = await person('ben', 'editor');
  const chief = await person('cleo', 'chief');
  const logo = idOf(await payload.create({ collection: 'images', data: {}, file: LOGO }));
  const about = idOf(
    await payload.create({
      collection: 'pages',
      data: {
        title: 'About us',
        description: 'Who we are.',
        owner: editor,
        _status: 'published',
        layout: [
          { blockType: 'text', text: 'We make tools.' },
          { blockType: 'picture', image: logo },
          { blockType: 'text', text: 'Come and see us.' },
        ],
      },
    }),
  );
  const secretPlans = idOf(
    await payload.create({
      collection: 'pages',
      draft: true,
      data: { title: 'Secret plans', owner: otherEditor },
    }),
  );
  return { editor, otherEditor, chief, about, secretPlans, logo };
}

function idOf(document: unknown): number {
  return (document as { readonly id: number }).id;
}
