export { noLists } from './list-recogniser.ts';
export { openRecogniser, type RecogniserOptions } from './open-recogniser.ts';
