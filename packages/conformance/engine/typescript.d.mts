export { getLibFiles, ts } from '@ts-morph/common';
