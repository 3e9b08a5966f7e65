import type { Layout } from '../../src/model/layout.ts';
import { type PlaceWords, placeWords } from '../../src/science/layout/place-words.ts';
import type { LayoutAnswer } from '../api.ts';

/** Where blocks stand in words, "lead story": what the API answers is a layout with a little more around it. */
export const placesIn = (answer: LayoutAnswer): PlaceWords => placeWords(answer as Layout);
