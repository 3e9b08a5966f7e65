export { noLists } from './list-recogniser.ts';
export { openRecogniser } from './open-recogniser.ts';
