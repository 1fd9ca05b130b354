import * as z from 'zod';

// Shapes that several tools take.
export const pageId = z.int().positive().describe('The id of the page.');
export const imageId = z.int().positive().describe('The id of the image.');
export const locale = z.enum(['en', 'de']).describe('The language.');
export const title = z.string().trim().min(1).max(120);
export const description = z.string().trim().max(300);
