import { expect, test } from 'vitest';
import { commercialStrength } from './text-signals.ts';

test.each([
  [
    'a shop, French',
    'Lampe 12,99 € Ajouter au panier. Vase 24,00 € En stock, livraison gratuite. Table 149 € Mon panier',
  ],
  [
    'a shop, German',
    'Lampe 12,99 € In den Warenkorb. Vase 24 EUR auf Lager, zzgl. Versandkosten. Tisch 149,00 €',
  ],
  ['a shop, English', '$12.99 Add to cart. £ 8 In stock. $149 Free shipping. Checkout'],
])('%s => more than .45', (_, text) => {
  expect(commercialStrength(text)).toBeGreaterThan(0.45);
});

test.each([
  ['', 0],
  ['Le prix du pain a augmenté de 3 € depuis janvier, disent les boulangers.', 0.13],
  ['Ma bibliothèque : mon panier, mes prêts', 0],
  ['Order of the Bath, kroner and crowns; 3 children', 0],
])('%j => at most %d', (text, most) => {
  expect(commercialStrength(text)).toBeLessThanOrEqual(most);
});
