export { openLanguageIdentifier } from '../../capture/language/cld3-identifier.ts';
export { addressFacts } from './address-facts.ts';
export { readPerimeter } from './perimeter-settings.ts';
