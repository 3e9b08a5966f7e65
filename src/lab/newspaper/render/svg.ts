import { stream } from '../random.ts';
import { type Colour, sceneOf } from './scene.ts';

const rgb = ([r, g, b]: Colour): string =>
  `#${[r, g, b].map((c) => c.toString(16).padStart(2, '0')).join('')}`;
const open = (width: number, height: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`;

function sceneSvg(description: string): string {
  const [w, h] = [800, 450];
  const scene = sceneOf(description);
  const hills = scene.hills.map(({ base, height, length, phase, colour }) => {
    const points: string[] = [];
    for (let x = 0; x <= w; x += 20)
      points.push(`${x},${(h * (base + height * Math.sin((length * x) / w + phase))).toFixed(1)}`);
    return `<polygon fill="${rgb(colour)}" points="0,${h} ${points.join(' ')} ${w},${h}"/>`;
  });
  const boxes = scene.boxes.map(
    (b) =>
      `<rect x="${(b.x * w).toFixed(1)}" y="${(b.y * h).toFixed(1)}" width="${(b.width * w).toFixed(1)}" height="${(b.height * h).toFixed(1)}" fill="${rgb(b.colour)}"/>`,
  );
  const { sun } = scene;
  return `${open(w, h)}<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${rgb(scene.sky[0])}"/><stop offset="1" stop-color="${rgb(scene.sky[1])}"/></linearGradient></defs><rect width="${w}" height="${h}" fill="url(#sky)"/><circle cx="${(sun.x * w).toFixed(1)}" cy="${(sun.y * h).toFixed(1)}" r="${(sun.radius * w).toFixed(1)}" fill="${rgb(sun.colour)}"/>${hills[0] ?? ''}${boxes.join('')}${hills.slice(1).join('')}</svg>`;
}

function gridSvg(description: string): string {
  const random = stream(description);
  const cells: string[] = [];
  const size = 13;
  let number = 1;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      // Black squares: a lattice plus random ones, symmetric under half a turn as in crosswords.
      const dark =
        (x % 2 === 1 && y % 2 === 1) ||
        stream(description, Math.min(y * size + x, size * size - 1 - y * size - x)).chance(0.12);
      cells.push(
        `<rect x="${x * 30 + 15}" y="${y * 30 + 15}" width="30" height="30" fill="${dark ? '#1f1c18' : '#fff'}" stroke="#1f1c18"/>`,
      );
      if (!dark && (x + y) % 3 === 0 && random.chance(0.4))
        cells.push(`<text x="${x * 30 + 18}" y="${y * 30 + 25}" font-size="9">${number++}</text>`);
    }
  }
  return `${open(420, 420)}${cells.join('')}</svg>`;
}

function chartSvg(description: string): string {
  const values = description
    .split(' ')
    .slice(1)
    .map(Number)
    .filter((v) => v > 0);
  const low = Math.min(...values, 1e9);
  const high = Math.max(...values, low + 0.01);
  const points = values.map(
    (v, i) => `${(20 + i * 7.4).toFixed(1)},${(230 - (200 * (v - low)) / (high - low)).toFixed(1)}`,
  );
  const last = values.at(-1);
  return `${open(800, 260)}<rect width="800" height="260" fill="#f1ede3"/><path d="M20 30H780M20 130H780M20 230H780" stroke="#d9d2c4"/><polyline fill="none" stroke="hsl(205 55% 36%)" stroke-width="3" points="${points.join(' ')}"/><text x="24" y="24" font-size="14" font-family="sans-serif">Harbour index ${last === undefined ? '' : last.toFixed(2)}</text></svg>`;
}

const WAVES = `${open(120, 14)}<path d="M0 9q15-9 30 0t30 0t30 0t30 0" fill="none" stroke="#b9ae98" stroke-width="1.5"/></svg>`;

/** The first word of the description says what to draw. */
export function svgOf(description: string): string {
  switch (description.split(' ')[0]) {
    case 'scene':
      return sceneSvg(description);
    case 'grid':
      return gridSvg(description);
    case 'chart':
      return chartSvg(description);
    default:
      return WAVES;
  }
}
